package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.mi.DebugSession;
import dev.eremite.tests.mi.DebugSession.Backend;
import dev.eremite.tests.mi.MiStop;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Watchpoints that steps run into, and breakpoints at which a checkpoint stands. */
@Tag("slow")
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class StepWatchTest {
    @ParameterizedTest
    @EnumSource(Backend.class)
    void shouldStopStepsForwardAtWatchpoint(Backend backend) {
        try (DebugSession session = DebugSession.open(backend, "calls")) {
            session.breakAt("round");
            session.forward();
            session.watch("sum");
            MiStop stop = session.move("next");
            assertThat(stop.reason()).isEqualTo("watchpoint-trigger");
            assertThat(session.integer("sum")).isEqualTo(5);
            session.move("next");
            stop = session.move("next");
            assertThat(stop.reason()).isEqualTo("watchpoint-trigger");
            assertThat(session.integer("sum")).isEqualTo(15);
        }
    }

    @Test
    void shouldStopStepsBackwardAtWatchpoint() {
        try (DebugSession session = DebugSession.open(Backend.REPLAY, "calls")) {
            session.runTo("name");
            assertThat(session.integer("sum")).isEqualTo(75);
            session.watchLocation("sum");
            session.moveBack("next");
            MiStop stop = session.moveBack("next");
            for (int i = 0; i < 3 && !stop.reason().equals("watchpoint-trigger"); i++) {
                stop = session.moveBack("next");
            }
            assertThat(stop.reason()).isEqualTo("watchpoint-trigger");
            assertThat(session.integer("sum")).isEqualTo(50);
        }
    }

    /**
     * A search that goes back further than the steps that are known keeps their beginning as a checkpoint; who steps on back
     * comes to stand exactly there.
     */
    @Test
    void shouldStepBackFromWhereCheckpointStands() {
        try (DebugSession session = DebugSession.open(Backend.REPLAY, "million")) {
            session.breakAt("million", "i == 500000");
            session.forward();
            session.deleteBreakpoints();
            session.moveBack("step-instruction");
            session.watchLocation("hits");
            session.reverse();
            long hits = session.integer("hits");
            assertThat(hits).isEqualTo(499_998);
            session.deleteBreakpoints();
            for (int i = 0; i < 2500; i++) {
                session.moveBack("step-instruction");
                long now = session.integer("hits");
                assertThat(now).as("after %d steps", i).isBetween(hits - 1, hits);
                hits = now;
            }
            assertThat(hits).isLessThan(499_900);
        }
    }

    /** reverse-stepi keeps a checkpoint at the start of the code behind a call; a breakpoint there must be hit. */
    @Test
    void shouldHitBreakpointWhereCheckpointStands() {
        try (DebugSession session = DebugSession.open(Backend.REPLAY, "calls")) {
            session.gdb().console("break write");
            session.forward();
            session.deleteBreakpoints();
            // Over the call itself: the next place is the first one behind it.
            while (!session.gdb().console("x/i $pc").contains("syscall")) {
                session.move("step-instruction");
            }
            session.move("step-instruction");
            long behind = session.integer("$pc");
            for (int i = 0; i < 4; i++) {
                session.move("step-instruction");
            }
            session.moveBack("step-instruction");
            session.gdb().console("break *" + behind);
            MiStop stop = session.reverse();
            assertThat(stop.reason()).isEqualTo("breakpoint-hit");
            assertThat(session.integer("$pc")).isEqualTo(behind);
            assertThat(session.reverse().reason()).isNotEqualTo("breakpoint-hit");
        }
    }
}
