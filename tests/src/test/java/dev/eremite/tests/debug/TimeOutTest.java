package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.mi.DebugSession;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs that do not end by themselves: where their recording ends, one sees why. */
@Tag("slow")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TimeOutTest {
    private static DebugSession deadlock(String... arguments) {
        return Endless.record("deadlock", "deadlock.c", List.of("-g", "-pthread"), arguments)
                .replayed()
                .debug();
    }

    @Test
    void shouldShowAllThreadsOfDeadlock() {
        try (DebugSession session = deadlock()) {
            assertThat(session.runToEnd().historyEnd()).isTrue();
            String threads = session.gdb().console("thread apply all bt");
            assertThat(threads).contains("in forwards (", "in backwards (", "in main (");
            session.gdb().console("break forwards");
            session.reverse();
            assertThat(session.backtrace()).startsWith("forwards");
        }
    }

    @Test
    void shouldStandInLoopThatDoesNotEnd() {
        try (DebugSession session = deadlock("turn")) {
            assertThat(session.runToEnd().historyEnd()).isTrue();
            assertThat(session.backtrace()).startsWith("turn", "main");
            assertThat(session.integer("rounds")).isGreaterThan(1000);
            long rounds = session.integer("rounds");
            session.watchLocation("rounds");
            session.reverse();
            assertThat(session.integer("rounds")).isBetween(rounds - 1, rounds);
        }
    }

    /** Gdb steps over the breakpoint first; where that step meets the end of history, it never moves again. */
    @Test
    void shouldMoveOnFromBreakpointAtTheEndOfHistory() {
        try (DebugSession session = deadlock("turn")) {
            assertThat(session.runToEnd().historyEnd()).isTrue();
            String end = session.evaluate("$pc");
            session.gdb().console("break *$pc");
            for (int i = 0; i < 2; i++) {
                session.forward();
                session.move("step-instruction");
                session.move("next");
                assertThat(session.evaluate("$pc")).isEqualTo(end);
                session.moveBack("step-instruction");
                assertThat(session.evaluate("$pc")).isNotEqualTo(end);
                session.deleteBreakpoints();
                assertThat(session.forward().historyEnd()).isTrue();
                session.gdb().console("break *$pc");
            }
        }
    }
}
