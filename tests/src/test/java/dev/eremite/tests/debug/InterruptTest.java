package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.mi.DebugSession;
import dev.eremite.tests.mi.DebugSession.Backend;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Interrupts of movements that gdb stops and goes on with by itself. */
@Tag("slow")
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class InterruptTest {
    /** Gdb evaluates this one itself: the server sees short movements, and mostly stands still. */
    private static final String GDBS_OWN = "$_streq(\"a\", \"b\")";

    private static final Duration A_WHILE = Duration.ofMillis(700);
    private static final Duration SOON = Duration.ofSeconds(5);

    @Test
    void shouldInterruptWhereGdbEvaluatesACondition() {
        try (DebugSession session = DebugSession.open(Backend.REPLAY, "million")) {
            session.gdb().within(Duration.ofSeconds(10));
            session.breakAt("million", GDBS_OWN);
            for (int i = 0; i < 3; i++) {
                assertSoon(session.gdb().interrupted("-exec-continue", A_WHILE));
                assertSoon(session.gdb().interrupted("-exec-continue --reverse", Duration.ofMillis(100 + 50L * i)));
            }
        }
    }

    private static void assertSoon(Optional<Duration> taken) {
        // Backwards, the beginning may have been reached before.
        taken.ifPresent(time -> assertThat(time).isLessThan(SOON));
    }
}
