package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.mi.DebugSession;
import dev.eremite.tests.mi.DebugSession.Backend;
import dev.eremite.tests.mi.MiStop;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Going backwards in a real GDB through a single-threaded program. The lines expected after each kind of reverse step
 * are those that GDB's own recording ("record full") of the same code gives.
 */
@Tag("slow")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ReverseDebugTest {
    private static DebugSession open(String guest) {
        return DebugSession.open(Backend.REPLAY, guest);
    }

    @Test
    void shouldContinueBackwardsToBreakpoints() {
        try (DebugSession session = open("basics")) {
            session.runTo("main-print");
            session.breakAt("add-call");
            for (int n = 10; n >= 1; n--) {
                MiStop stop = session.reverse();
                assertThat(stop.reason()).isEqualTo("breakpoint-hit");
                assertThat(stop.line()).isEqualTo(session.guest().line("add-call"));
                assertThat(session.integer("n")).isEqualTo(n);
                assertThat(session.integer("total")).isEqualTo(sumOfSquares(n - 1));
            }
            assertThat(session.reverse().historyEnd()).isTrue();
        }
    }

    @Test
    void shouldChooseLastBreakpointThatHolds() {
        try (DebugSession session = open("basics")) {
            session.runTo("main-print");
            session.breakAt("add-call", "n % 4 == 0");
            session.breakAt("add-sum", "n < 8");
            List<String> hits = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                hits.add(session.reverse().line() - session.guest().line("add-call") + ":" + session.integer("n"));
            }
            assertThat(hits).containsExactly("0:8", "1:7", "1:6", "1:5");
        }
    }

    @Test
    void shouldTurnRoundAtBreakpoints() {
        try (DebugSession session = open("basics")) {
            session.runTo("main-print");
            session.breakAt("square-body");
            List<Long> values = new ArrayList<>();
            for (String way : List.of("back", "back", "back", "on", "on", "back", "on")) {
                if (way.equals("back")) {
                    session.reverse();
                } else {
                    session.forward();
                }
                values.add(session.integer("n"));
            }
            assertThat(values).containsExactly(10L, 9L, 8L, 9L, 10L, 9L, 10L);
        }
    }

    @Test
    void shouldStepBackThroughFunctions() {
        try (DebugSession session = open("basics")) {
            session.breakAt("main-progress", "i == 2");
            session.forward();
            session.deleteBreakpoints();
            List<Integer> lines = new ArrayList<>();
            for (int i = 0; i < 9; i++) {
                lines.add(session.moveBack("step").line());
            }
            int add = session.guest().line("add-return");
            int square = session.guest().line("square-return");
            int loop = session.guest().line("main-loop");
            assertThat(lines)
                    .containsExactly(add + 1, add, add - 1, square + 1, square, square - 1, add - 2, loop, loop - 1);
            assertThat(session.integer("total")).isEqualTo(1);
        }
    }

    @Test
    void shouldStepBackOverCalls() {
        try (DebugSession session = open("basics")) {
            session.runTo("main-print");
            List<Integer> lines = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                lines.add(session.moveBack("next").line());
            }
            int loop = session.guest().line("main-loop");
            assertThat(lines).containsExactly(loop - 1, loop + 1, loop, loop - 1, loop + 1);
            assertThat(session.integer("total")).isEqualTo(285);
            session.runTo("main-print-depth");
            assertThat(session.moveBack("next").line())
                    .isEqualTo(session.guest().line("main-depth"));
            assertThat(session.backtrace().getFirst()).isEqualTo("main");
        }
    }

    @Test
    void shouldStepBackOverLibraryCallsThatPrint() {
        try (DebugSession session = open("basics")) {
            session.runTo("main-push");
            assertThat(session.moveBack("next").line())
                    .isEqualTo(session.guest().line("main-print"));
            assertThat(session.move("next").line()).isEqualTo(session.guest().line("main-push"));
        }
    }

    @Test
    void shouldFinishBackwardsToTheCall() {
        try (DebugSession session = open("basics")) {
            session.breakAt("square-body", "n == 6");
            session.forward();
            session.deleteBreakpoints();
            MiStop stop = session.moveBack("finish");
            assertThat(stop.function()).isEqualTo("add_square");
            assertThat(stop.line()).isEqualTo(session.guest().line("add-call"));
            assertThat(session.gdb().console("x/i $pc")).contains("call").contains("square");
            stop = session.moveBack("finish");
            assertThat(stop.function()).isEqualTo("main");
            assertThat(stop.line()).isEqualTo(session.guest().line("main-loop"));
            assertThat(session.integer("total")).isEqualTo(55);
        }
    }

    @Test
    void shouldStepBackSingleInstructionsThroughTheSameStates() {
        try (DebugSession session = open("basics")) {
            session.runTo("add-call");
            List<String> there = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                there.add(registers(session));
                session.move("step-instruction");
            }
            List<String> back = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                session.moveBack("step-instruction");
                back.add(registers(session));
            }
            Collections.reverse(back);
            assertThat(back).isEqualTo(there);
        }
    }

    @Test
    void shouldStepBackSingleInstructionsOverSystemCalls() {
        try (DebugSession session = open("hello")) {
            List<String> there = new ArrayList<>();
            for (int i = 0; i < 7; i++) {
                there.add(registers(session));
                session.move("step-instruction");
            }
            List<String> back = new ArrayList<>();
            for (int i = 0; i < 7; i++) {
                session.moveBack("step-instruction");
                back.add(registers(session));
            }
            Collections.reverse(back);
            assertThat(back).isEqualTo(there);
        }
    }

    @Test
    void shouldStepInstructionsBackOverCalls() {
        try (DebugSession session = open("basics")) {
            session.runTo("add-sum");
            MiStop stop = session.moveBack("next-instruction");
            for (int i = 0; i < 8 && !session.gdb().console("x/i $pc").contains("call"); i++) {
                assertThat(stop.function()).isEqualTo("add_square");
                stop = session.moveBack("next-instruction");
            }
            assertThat(stop.line()).isEqualTo(session.guest().line("add-call"));
            assertThat(session.gdb().console("x/i $pc")).contains("square");
        }
    }

    @Test
    void shouldFindLastWriteOfWatchedVariable() {
        try (DebugSession session = open("basics")) {
            session.runTo("main-print");
            session.watch("total");
            for (int i = 10; i >= 7; i--) {
                MiStop stop = session.reverse();
                assertThat(stop.reason()).isEqualTo("watchpoint-trigger");
                assertThat(stop.line()).isEqualTo(session.guest().line("main-loop"));
                assertThat(session.integer("i")).isEqualTo(i);
                assertThat(stop.details().text("value.old")).isEqualTo(Long.toString(sumOfSquares(i)));
                assertThat(stop.details().text("value.new")).isEqualTo(Long.toString(sumOfSquares(i - 1)));
            }
            assertThat(session.forward().details().text("value.new")).isEqualTo(Long.toString(sumOfSquares(7)));
        }
    }

    @Test
    void shouldFindLastReadOfWatchedVariable() {
        try (DebugSession session = open("basics")) {
            session.runTo("main-print");
            session.watchReads("total");
            for (int i = 10; i >= 7; i--) {
                MiStop stop = session.reverse();
                assertThat(stop.reason()).isEqualTo("read-watchpoint-trigger");
                assertThat(stop.line()).isEqualTo(session.guest().line("main-loop"));
                assertThat(session.integer("i")).isEqualTo(i);
                assertThat(session.integer("total")).isEqualTo(sumOfSquares(i - 1));
            }
        }
    }

    @Test
    void shouldFindEachAccessOfWatchedVariable() {
        try (DebugSession session = open("basics")) {
            session.runTo("main-print");
            session.gdb().command("-break-watch -a total");
            List<Long> totals = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                assertThat(session.reverse().reason()).isEqualTo("access-watchpoint-trigger");
                totals.add(session.integer("total"));
            }
            assertThat(totals).containsExactly(285L, 285L, 204L, 204L);
        }
    }

    @Test
    void shouldFindWriteOfHeapField() {
        try (DebugSession session = open("basics")) {
            session.runTo("main-keys");
            session.watchLocation("head->weight");
            MiStop stop = session.reverse();
            assertThat(stop.function()).isEqualTo("push");
            assertThat(session.integer("key")).isEqualTo(8);
            assertThat(session.integer("head->key")).isEqualTo(5);
        }
    }

    @Test
    void shouldWatchMoreThanFourPlaces() {
        try (DebugSession session = open("basics")) {
            session.runTo("main-keys");
            String first = session.evaluate("&head->next->next->key");
            for (String expression : List.of(
                    "progress",
                    "total",
                    "*(int *) &head->next->key",
                    "head->next->next->weight",
                    "head->name",
                    "head->next->name")) {
                session.watchLocation(expression);
            }
            session.watchLocation(
                    "*(int *) " + first.substring(first.lastIndexOf("0x")).split(" ", 2)[0]);
            List<String> functions = new ArrayList<>();
            MiStop stop = session.reverse();
            while (stop.reason().equals("watchpoint-trigger") && functions.size() < 40) {
                functions.add(stop.line() == session.guest().line("main-progress") ? "progress" : "other");
                stop = session.reverse();
                if (functions.contains("progress")) {
                    break;
                }
            }
            assertThat(functions).contains("progress");
        }
    }

    @Test
    void shouldStopAtBeginningOfHistoryAndGoOnFromThere() {
        try (DebugSession session = open("basics")) {
            long entry = session.integer("$pc");
            session.runTo("main-print");
            assertThat(session.reverse().historyEnd()).isTrue();
            assertThat(session.integer("$pc")).isEqualTo(entry);
            assertThat(session.reverse().historyEnd()).isTrue();
            assertThat(session.moveBack("step-instruction").historyEnd()).isTrue();
            assertThat(session.integer("$pc")).isEqualTo(entry);
            session.runTo("main-print");
            assertThat(session.integer("total")).isEqualTo(385);
        }
    }

    @Test
    void shouldGoBackFromTheEnd() {
        try (DebugSession session = open("basics")) {
            assertThat(session.runToEnd().historyEnd()).isTrue();
            session.breakAt("main-end");
            assertThat(session.reverse().line()).isEqualTo(session.guest().line("main-end"));
            session.deleteBreakpoints();
            assertThat(session.forward().historyEnd()).isTrue();
            session.breakAt("depth-bottom");
            session.reverse();
            assertThat(session.backtrace()).hasSizeGreaterThanOrEqualTo(14).startsWith("depth");
        }
    }

    @Test
    void shouldReturnToBottomOfRecursion() {
        try (DebugSession session = open("recursion")) {
            session.runTo("ordered");
            session.breakAt("bottom");
            session.reverse();
            assertThat(session.backtrace().subList(0, 11))
                    .containsExactly(
                            "factorial",
                            "factorial",
                            "factorial",
                            "factorial",
                            "factorial",
                            "factorial",
                            "factorial",
                            "factorial",
                            "factorial",
                            "factorial",
                            "main");
            session.deleteBreakpoints();
            MiStop stop = session.moveBack("finish");
            assertThat(stop.function()).isEqualTo("factorial");
            assertThat(session.integer("n")).isEqualTo(2);
        }
    }

    @Test
    void shouldShowVectorRegistersOfThePast() {
        try (DebugSession session = open("avx")) {
            session.runTo("ymm-clear");
            assertThat(session.evaluate("$ymm7.v8_int32")).isEqualTo("{0, 0, 0, 0, 0, 0, 0, 0}");
            session.breakAt("ymm-set");
            session.reverse();
            assertThat(session.evaluate("$ymm7.v8_int32")).isEqualTo("{11, 22, 33, 44, 55, 66, 77, 88}");
        }
    }

    @Test
    void shouldReturnToThrownException() {
        try (DebugSession session = open("except")) {
            session.runTo("caught");
            long destroyed = session.integer("destroyed");
            session.breakAt("throw-runtime");
            MiStop stop = session.reverse();
            assertThat(stop.line()).isEqualTo(session.guest().line("throw-runtime"));
            assertThat(session.integer("n")).isEqualTo(3);
            assertThat(session.integer("destroyed")).isLessThan(destroyed);
        }
    }

    static long sumOfSquares(long n) {
        return n * (n + 1) * (2 * n + 1) / 6;
    }

    private static String registers(DebugSession session) {
        return session.gdb().command("-data-list-register-values x").toString();
    }
}
