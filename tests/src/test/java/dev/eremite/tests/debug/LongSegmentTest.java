package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.mi.DebugSession;
import dev.eremite.tests.mi.DebugSession.Backend;
import dev.eremite.tests.mi.MiStop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long it takes to go backwards where much is computed and no system call is near. */
@Tag("slow")
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class LongSegmentTest {
    private static final Duration FIRST_STEP = Duration.ofSeconds(2);
    private static final Duration LATER_STEPS = Duration.ofMillis(50);
    private static final Duration HOT_BREAKPOINT = Duration.ofSeconds(5);
    private static final Duration INTERRUPT = Duration.ofMillis(200);

    @Test
    void shouldStepBackFromTheEndOfTwoSecondsOfComputation() {
        try (DebugSession session = DebugSession.open(Backend.REPLAY, "longsegment")) {
            session.runTo("computed");
            String result = session.evaluate("$rip");
            Duration first = time(() -> session.moveBack("step-instruction"));
            assertThat(session.evaluate("$rip")).isNotEqualTo(result);
            List<Duration> later = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                later.add(time(() -> session.moveBack("step-instruction")));
            }
            later.sort(null);
            assertThat(first).as("first step back").isLessThanOrEqualTo(FIRST_STEP);
            // One of twenty may meet another process's turn on the processor.
            assertThat(later.get(18)).as("later steps back: %s", later).isLessThanOrEqualTo(LATER_STEPS);
        }
    }

    @Test
    void shouldFindLastOfMillionHitsBackwards() {
        try (DebugSession session = DebugSession.open(Backend.REPLAY, "million")) {
            session.runTo("end");
            session.breakAt("million");
            Duration taken = time(session::reverse);
            assertThat(session.integer("i")).isEqualTo(1_000_000);
            assertThat(session.integer("hits")).isEqualTo(999_999);
            assertThat(taken).isLessThanOrEqualTo(HOT_BREAKPOINT);
            session.reverse();
            assertThat(session.integer("i")).isEqualTo(999_999);
        }
    }

    @Test
    void shouldFindWriteInLongSegmentBackwards() {
        try (DebugSession session = DebugSession.open(Backend.REPLAY, "million")) {
            session.runTo("end");
            session.watch("target");
            MiStop stop = session.reverse();
            assertThat(stop.line()).isEqualTo(session.guest().line("target"));
            assertThat(session.integer("i")).isEqualTo(777_777);
            assertThat(session.integer("target")).isZero();
        }
    }

    @Test
    void shouldEndSoonWhenInterrupted() {
        try (DebugSession session = DebugSession.open(Backend.REPLAY, "million")) {
            session.runTo("end");
            session.breakAt("million", "hits == 12345678");
            assertInterrupted(session, "-exec-continue --reverse", 10);
            assertInterrupted(session, "-exec-continue --reverse", 100);
            assertInterrupted(session, "-exec-continue --reverse", 400);
            assertInterrupted(session, "-exec-continue", 50);
        }
        try (DebugSession session = DebugSession.open(Backend.REPLAY, "longsegment")) {
            session.runTo("start");
            assertInterrupted(session, "-exec-continue", 300);
            session.runTo("computed");
            assertInterrupted(session, "-exec-step-instruction --reverse", 100);
            session.watch("result");
            assertInterrupted(session, "-exec-continue --reverse", 300);
        }
    }

    private static void assertInterrupted(DebugSession session, String command, long afterMs) {
        Optional<Duration> taken = session.gdb().interrupted(command, Duration.ofMillis(afterMs));
        taken.ifPresent(time -> assertThat(time)
                .as("%s interrupted after %d ms", command, afterMs)
                .isLessThanOrEqualTo(INTERRUPT));
    }

    private static Duration time(Runnable action) {
        long started = System.nanoTime();
        action.run();
        return Duration.ofNanos(System.nanoTime() - started);
    }
}
