package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.mi.DebugSession;
import dev.eremite.tests.mi.DebugSession.Backend;
import dev.eremite.tests.mi.MiStop;
import dev.eremite.tests.mi.MiValue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Going backwards across signals, threads, forks, jumps, and system calls that wrote what is watched. */
@Tag("slow")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ReverseAcrossTest {
    private static DebugSession open(String guest) {
        return DebugSession.open(Backend.REPLAY, guest);
    }

    @Test
    void shouldFindReadThatWroteWatchedBuffer() {
        try (DebugSession session = open("watchread")) {
            session.runTo("after-read");
            session.watch("buffer[0]");
            session.reverse();
            assertThat(session.integer("buffer[0]")).isEqualTo('e');
            assertThat(lineInMain(session)).isEqualTo(session.guest().line("read"));
            MiStop stop = session.forward();
            assertThat(stop.reason()).isEqualTo("watchpoint-trigger");
            assertThat(session.integer("buffer[0]")).isEqualTo('f');
            assertThat(lineInMain(session)).isEqualTo(session.guest().line("read"));
        }
    }

    @Test
    void shouldFindLibraryCallThatWroteWatchedLine() {
        try (DebugSession session = open("watchread")) {
            session.runTo("print");
            session.watch("line[0]");
            session.reverse();
            assertThat(session.integer("line[0]")).isZero();
            assertThat(lineInMain(session)).isEqualTo(session.guest().line("fgets"));
        }
    }

    @Test
    void shouldFindClockThatWroteWatchedTime() {
        try (DebugSession session = open("watchread")) {
            session.runTo("print");
            session.watch("stamp.tv_sec");
            session.reverse();
            assertThat(session.integer("stamp.tv_sec")).isZero();
            assertThat(lineInMain(session)).isEqualTo(session.guest().line("clock"));
        }
    }

    @Test
    void shouldStepBackOverSystemCallsLineByLine() {
        try (DebugSession session = open("watchread")) {
            session.runTo("after-clock");
            List<Integer> lines = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                lines.add(session.moveBack("next").line());
            }
            assertThat(lines)
                    .containsExactly(
                            session.guest().line("clock"),
                            session.guest().line("after-fgets"),
                            session.guest().line("fgets"));
        }
    }

    @Test
    void shouldVisitHandlersBackwards() {
        try (DebugSession session = open("itimer")) {
            session.breakAt("tick", "ticks == 7");
            session.forward();
            session.deleteBreakpoints();
            session.breakAt("tick");
            for (int ticks = 6; ticks >= 4; ticks--) {
                assertThat(session.reverse().function()).isEqualTo("tick");
                assertThat(session.integer("ticks")).isEqualTo(ticks);
                assertThat(session.backtrace()).containsSubsequence("tick", "main");
            }
            session.forward();
            assertThat(session.integer("ticks")).isEqualTo(5);
        }
    }

    /** What tells the rounds of the loop apart is not touched between such a place and the signal. */
    @Test
    void shouldGoOnBackFromDirectlyBeforeSignals() {
        try (DebugSession session = open("itimer")) {
            session.breakAt("tick", "ticks == 8");
            session.forward();
            for (int ticks = 7; ticks >= 3; ticks--) {
                session.deleteBreakpoints();
                session.gdb().console("handle SIGALRM stop print pass");
                assertThat(session.reverse().signal()).isEqualTo("SIGALRM");
                session.gdb().console("handle SIGALRM nostop noprint pass");
                for (int i = 0; i <= ticks % 3; i++) {
                    session.moveBack("step-instruction");
                }
                session.breakAt("tick");
                assertThat(session.reverse().function()).isEqualTo("tick");
                assertThat(session.integer("ticks")).isEqualTo(ticks);
            }
        }
    }

    @Test
    void shouldReportSignalsBackwardsToo() {
        try (DebugSession session = open("itimer")) {
            session.breakAt("tick", "ticks == 5");
            session.forward();
            session.deleteBreakpoints();
            session.gdb().console("handle SIGALRM stop print pass");
            List<Long> ticks = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                MiStop stop = session.reverse();
                assertThat(stop.signal()).isEqualTo("SIGALRM");
                ticks.add(session.integer("ticks"));
            }
            assertThat(ticks).containsExactly(5L, 4L, 3L);
        }
    }

    @Test
    void shouldFindWriteOfEarlierHandler() {
        try (DebugSession session = open("itimer")) {
            session.breakAt("tick", "ticks == 5");
            session.forward();
            session.deleteBreakpoints();
            long interrupted = session.integer("rounds");
            session.watch("seen[4]");
            MiStop stop = session.reverse();
            assertThat(stop.function()).isEqualTo("tick");
            // The compiler counts first and stores then.
            assertThat(session.integer("ticks")).isEqualTo(5);
            assertThat(session.integer("seen[4]")).isZero();
            assertThat(session.integer("rounds")).isLessThanOrEqualTo(interrupted);
            session.deleteBreakpoints();
            session.breakAt("tick");
            session.reverse();
            assertThat(session.integer("ticks")).isEqualTo(4);
        }
    }

    @Test
    void shouldStepBackInstructionsAcrossSignalDelivery() {
        try (DebugSession session = open("itimer")) {
            session.runTo("tick");
            String rounds = session.evaluate("rounds");
            String function = "tick";
            for (int i = 0; i < 12 && function.equals("tick"); i++) {
                function = session.moveBack("step-instruction").function();
            }
            assertThat(function).isEqualTo("main");
            assertThat(session.evaluate("rounds")).isEqualTo(rounds);
            session.runTo("tick");
            assertThat(session.integer("ticks")).isZero();
        }
    }

    @Test
    void shouldVisitRepairedFaultsBackwards() {
        try (DebugSession session = open("faultfix")) {
            session.gdb().console("handle SIGSEGV nostop noprint pass");
            session.breakAt("fault", "faults == 7");
            session.forward();
            session.deleteBreakpoints();
            session.breakAt("fault");
            for (int faults = 6; faults >= 0; faults--) {
                session.reverse();
                assertThat(session.integer("faults")).isEqualTo(faults);
            }
        }
    }

    @Test
    void shouldVisitTurnsOfThreadsBackwards() {
        try (DebugSession session = open("threads4")) {
            session.runTo("main-print");
            session.breakAt("shared-add");
            List<String> hits = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                session.reverse();
                hits.add(session.integer("id") + ":" + session.integer("shared_sum") + ":" + session.integer("mine"));
            }
            assertThat(hits)
                    .containsExactly("3:147:424", "2:145:324", "1:144:224", "0:144:124", "3:141:423", "2:139:323");
        }
    }

    @Test
    void shouldFindWritesOfOtherThreads() {
        try (DebugSession session = open("threads4")) {
            session.runTo("main-print");
            session.watch("shared_sum");
            List<Long> sums = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                MiStop stop = session.reverse();
                assertThat(stop.function()).isEqualTo("work");
                sums.add(session.integer("shared_sum"));
            }
            assertThat(sums).containsExactly(147L, 145L, 144L, 141L);
        }
    }

    @Test
    void shouldShowAllThreadsOfThePast() {
        try (DebugSession session = open("threads4")) {
            session.runTo("main-print");
            assertThat(session.threads()).isEqualTo(1);
            session.breakAt("tls-add", "id == 3 && mine == 403");
            session.reverse();
            assertThat(session.threads()).isEqualTo(5);
            List<Long> values = new ArrayList<>();
            for (MiValue thread : session.gdb().command("-thread-info").list("threads")) {
                session.gdb().command("-thread-select " + thread.text("id"));
                values.add(session.integer("mine"));
            }
            assertThat(values).containsExactlyInAnyOrder(-1L, 104L, 204L, 304L, 403L);
        }
    }

    @Test
    void shouldReachBeginningAcrossThreadsAndReturn() {
        try (DebugSession session = open("threads4")) {
            session.runTo("main-print");
            assertThat(session.reverse().historyEnd()).isTrue();
            assertThat(session.threads()).isEqualTo(1);
            session.runTo("main-print");
            assertThat(session.integer("shared_sum")).isEqualTo(150);
        }
    }

    @Test
    void shouldStepBackInOneThreadWhileOthersExist() {
        try (DebugSession session = open("threads4")) {
            session.breakAt("tls-add", "id == 2 && mine == 310");
            session.forward();
            session.deleteBreakpoints();
            long sum = session.integer("shared_sum");
            MiStop stop = session.moveBack("next");
            assertThat(stop.line()).isEqualTo(session.guest().line("shared-add"));
            assertThat(session.integer("id")).isEqualTo(2);
            assertThat(session.integer("shared_sum")).isEqualTo(sum - 2);
        }
    }

    @Test
    void shouldGoBackAcrossForks() {
        try (DebugSession session = open("forkpipe")) {
            session.runTo("parent-end");
            session.breakAt("parent-value");
            for (int expected : new int[] {3, 1, 0}) {
                session.reverse();
                assertThat(session.integer("child_value")).isEqualTo(expected);
            }
            assertThat(session.reverse().historyEnd()).isTrue();
        }
    }

    @Test
    void shouldFindWriteOfChildInSharedMemory() {
        try (DebugSession session = open("mappings")) {
            session.gdb().console("break printf if $_streq((char *) $rdi, \"from child %d\\n\")");
            session.forward();
            session.gdb().console("up");
            session.deleteBreakpoints();
            assertThat(session.integer("*common")).isEqualTo(4711);
            String common = session.evaluate("(long) common");
            session.watchLocation("*common");
            assertThat(session.reverse().reason()).isEqualTo("watchpoint-trigger");
            // The other process wrote it while this one was about to return from fork, or waited.
            assertThat(session.integer("*(int *) " + common)).isZero();
            assertThat(session.backtrace()).contains("main");
            assertThat(session.forward().reason()).isEqualTo("watchpoint-trigger");
            assertThat(session.integer("*(int *) " + common)).isEqualTo(4711);
        }
    }

    @Test
    void shouldGoBackAcrossLongJump() {
        try (DebugSession session = open("longjmp")) {
            session.runTo("print");
            session.breakAt("jump");
            MiStop stop = session.reverse();
            assertThat(stop.line()).isEqualTo(session.guest().line("jump"));
            assertThat(session.integer("n")).isEqualTo(3);
            assertThat(session.integer("jumps")).isZero();
            assertThat(session.backtrace().subList(0, 5)).containsExactly("inner", "inner", "inner", "inner", "main");
            session.deleteBreakpoints();
            session.breakAt("setjmp");
            session.reverse();
            assertThat(session.backtrace().getFirst()).isEqualTo("main");
            assertThat(session.integer("marker")).isZero();
        }
    }

    @Test
    void shouldFindWriteBeforeLongJump() {
        try (DebugSession session = open("longjmp")) {
            session.runTo("print");
            session.watch("marker");
            for (int expected : new int[] {2, 1, 0}) {
                assertThat(session.reverse().function()).isEqualTo("inner");
                assertThat(session.integer("marker")).isEqualTo(expected);
            }
        }
    }

    @Test
    void shouldGoBackAcrossJumpsOutOfHandlers() {
        try (DebugSession session = open("sigs")) {
            session.gdb().console("handle SIGUSR1 nostop noprint pass");
            session.gdb().console("handle SIGUSR2 nostop noprint pass");
            session.breakAt("after-jump");
            for (int jumps = 0; jumps < 3; jumps++) {
                session.forward();
                assertThat(session.integer("jumps")).isEqualTo(jumps);
            }
            session.deleteBreakpoints();
            session.breakAt("handler-jump");
            for (int jumps = 2; jumps >= 0; jumps--) {
                assertThat(session.reverse().function()).isEqualTo("jump");
                assertThat(frameValue(session, "main", "jumps")).isEqualTo(jumps);
            }
        }
    }

    private static long frameValue(DebugSession session, String function, String expression) {
        int level = session.backtrace().indexOf(function);
        session.gdb().command("-stack-select-frame " + level);
        return session.integer(expression);
    }

    private static int lineInMain(DebugSession session) {
        for (MiValue frame : session.gdb().command("-stack-list-frames").list("stack")) {
            if (frame.text("func").equals("main")) {
                return Integer.parseInt(frame.text("line"));
            }
        }
        throw new AssertionError("no main in " + session.backtrace());
    }
}
