package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.mi.DebugSession;
import dev.eremite.tests.mi.DebugSession.Backend;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A way forward past checkpoints that an earlier one has left: all of them stay in the order of time. */
@Tag("slow")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PassedCheckpointsTest {
    @Test
    void shouldFindNothingBehindThePresentWhenGoingBack() {
        try (DebugSession session = DebugSession.open(Backend.REPLAY, "stretches")) {
            assertThat(session.runToEnd().historyEnd()).isTrue();
            for (int n = 30; n < 280; n += 11) {
                session.gdb().console("monitor seek start");
                session.deleteBreakpoints();
                session.breakAt("tick", "n == " + n);
                session.forward();
                assertThat(session.integer("n")).isEqualTo(n);
                session.deleteBreakpoints();
                session.breakAt("late");
                // Going back, the end of history is its beginning.
                assertThat(session.reverse().historyEnd()).as("back from %d", n).isTrue();
                assertThat(session.integer("n")).as("back from %d", n).isZero();
            }
        }
    }
}
