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

/** Recordings of several processes: births, new programs and ends, forwards and backwards, and all processes side by side. */
@Tag("slow")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ProcessesTest {
    private static DebugSession open(String guest, String... settings) {
        DebugSession session = DebugSession.open(Backend.REPLAY, guest);
        for (String setting : settings) {
            session.gdb().console(setting);
        }
        return session;
    }

    /** The process ids of the inferiors that live, in order of their numbers. */
    private static List<String> inferiors(DebugSession session) {
        List<String> processes = new ArrayList<>();
        for (MiValue group : session.gdb().command("-list-thread-groups").list("groups")) {
            if (!group.text("pid").isEmpty()) {
                processes.add(group.text("pid"));
            }
        }
        return processes;
    }

    @Test
    void shouldCatchForksInBothDirections() {
        try (DebugSession session = open("forkpipe", "catch fork")) {
            List<String> children = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                MiStop stop = session.forward();
                assertThat(stop.reason()).isEqualTo("fork");
                assertThat(session.backtrace()).contains("main");
                children.add(stop.details().text("newpid"));
            }
            assertThat(children).doesNotHaveDuplicates();
            for (int i = 1; i >= 0; i--) {
                MiStop stop = session.reverse();
                assertThat(stop.reason()).isEqualTo("fork");
                assertThat(stop.details().text("newpid")).isEqualTo(children.get(i));
            }
            assertThat(session.reverse().historyEnd()).isTrue();
            assertThat(inferiors(session)).hasSize(1);
            assertThat(session.forward().details().text("newpid")).isEqualTo(children.getFirst());
        }
    }

    @Test
    void shouldCatchVforksInBothDirections() {
        try (DebugSession session = open("spawn", "catch vfork", "break finish")) {
            List<String> reasons = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                reasons.add(session.forward().reason());
            }
            assertThat(reasons).containsExactly("vfork", "breakpoint-hit", "vfork", "vfork", "breakpoint-hit");
            reasons.clear();
            for (int i = 0; i < 4; i++) {
                reasons.add(session.reverse().reason());
            }
            assertThat(reasons).containsExactly("vfork", "vfork", "breakpoint-hit", "vfork");
            assertThat(session.forward().function()).isEqualTo("finish");
        }
    }

    @Test
    void shouldCatchNewProgramsInBothDirections() {
        try (DebugSession session = open("exec", "catch exec", "break main")) {
            List<Long> stages = new ArrayList<>();
            stages.add(session.forward().line() > 0 ? session.integer("argc") : -1);
            for (int i = 0; i < 3; i++) {
                MiStop stop = session.forward();
                assertThat(stop.reason()).isEqualTo("exec");
                assertThat(stop.details().text("new-exec")).contains("exec");
                assertThat(session.forward().function()).isEqualTo("main");
                stages.add(session.integer("argc"));
            }
            assertThat(stages).containsExactly(4L, 3L, 2L, 1L);
            for (long stage = 2; stage <= 4; stage++) {
                assertThat(session.reverse().reason()).isEqualTo("exec");
                assertThat(session.reverse().function()).isEqualTo("main");
                assertThat(session.integer("argc")).isEqualTo(stage);
            }
            assertThat(session.reverse().historyEnd()).isTrue();
        }
    }

    @Test
    void shouldHaveTheOldProgramBackInFrontOfExec() {
        try (DebugSession session = open("spawn", "set follow-fork-mode child", "catch exec")) {
            session.forward();
            assertThat(session.gdb().console("info inferiors")).contains("dash");
            assertThat(session.reverse().details().text("new-exec")).contains("spawn");
            assertThat(session.gdb().console("info inferiors")).contains("/spawn-");
            assertThat(session.reverse().historyEnd()).isTrue();
            assertThat(session.forward().reason()).isEqualTo("exec");
        }
    }

    @Test
    void shouldFollowTheChild() {
        try (DebugSession session = open("forkpipe", "set follow-fork-mode child")) {
            session.breakAt("child-exit");
            assertThat(session.forward().function()).isEqualTo("child");
            assertThat(session.integer("child_value")).isEqualTo(11);
            assertThat(session.backtrace()).containsExactly("child", "main");
            session.watch("child_value");
            session.reverse();
            assertThat(session.integer("child_value")).isZero();
            session.deleteBreakpoints();
            assertThat(session.reverse().historyEnd()).isTrue();
            assertThat(session.backtrace()).contains("main");
            assertThat(inferiors(session)).hasSize(1);
            MiStop end = session.forward();
            assertThat(end.historyEnd()).isTrue();
        }
    }

    @Test
    void shouldShowAllProcessesSideBySide() {
        try (DebugSession session = open("forkpipe", "set detach-on-fork off")) {
            session.breakAt("child-exit");
            assertThat(session.forward().function()).isEqualTo("child");
            assertThat(inferiors(session)).hasSize(2);
            assertThat(session.integer("child_value")).isEqualTo(11);
            assertThat(session.gdb().console("thread apply all bt"))
                    .contains("child (number=1")
                    .contains("main () at");
            session.gdb().console("inferior 1");
            assertThat(session.integer("child_value")).isZero();
            assertThat(session.backtrace()).endsWith("main");
            session.gdb().console("inferior 2");
            assertThat(session.integer("number")).isEqualTo(1);
        }
    }

    @Test
    void shouldMeetEndsOfProcessesForwardsAndBackwards() {
        try (DebugSession session = open("forkpipe", "set detach-on-fork off")) {
            session.breakAt("child-value");
            session.forward();
            session.deleteBreakpoints();
            MiStop end = session.forward();
            assertThat(end.reason()).isEqualTo("exited");
            assertThat(inferiors(session)).hasSize(1);
            session.gdb().console("inferior 1");
            MiStop back = session.reverse();
            assertThat(back.function()).contains("exit");
            assertThat(inferiors(session)).hasSize(2);
            session.breakAt("child-value");
            assertThat(session.reverse().function()).isEqualTo("child");
            MiStop born = session.reverse();
            assertThat(born.reason()).startsWith("exited");
            assertThat(inferiors(session)).hasSize(1);
            session.gdb().console("inferior 1");
            session.deleteBreakpoints();
            assertThat(session.reverse().historyEnd()).isTrue();
            assertThat(session.backtrace()).contains("_start");
        }
    }

    @Test
    void shouldStopAtBreakpointsOfAnyProcess() {
        try (DebugSession session = open("forkpipe", "set detach-on-fork off")) {
            session.breakAt("child-exit");
            session.breakAt("parent-print");
            List<String> visited = new ArrayList<>();
            List<Long> values = new ArrayList<>();
            for (int i = 0; i < 9; i++) {
                MiStop stop = session.forward();
                if (stop.exited()) {
                    visited.add("end");
                    session.gdb().console("inferior 1");
                } else {
                    visited.add(stop.function());
                    values.add(session.integer("child_value"));
                }
            }
            assertThat(visited).containsExactly("child", "end", "main", "child", "end", "main", "child", "end", "main");
            assertThat(values).containsExactly(11L, 1L, 22L, 3L, 33L, 6L);
        }
    }

    @Test
    void shouldAttachToAnyProcessThatIsAlive() {
        try (DebugSession session = open("waitingchild", "catch fork")) {
            String child = session.forward().details().text("newpid");
            session.deleteBreakpoints();
            session.gdb().resume("-exec-step-instruction");
            assertThat(inferiors(session)).doesNotContain(child).hasSize(1);
            session.gdb().console("add-inferior");
            session.gdb().console("inferior 2");
            assertThat(session.gdb().attempt("-target-attach 1")).contains("ttach");
            session.gdb().resume("-interpreter-exec console \"attach " + child + "\"");
            assertThat(inferiors(session)).contains(child).hasSize(2);
            assertThat(session.backtrace()).endsWith("main");
            session.breakAt("child-exit");
            assertThat(session.forward().line()).isEqualTo(session.guest().line("child-exit"));
            assertThat(session.integer("child_value")).isEqualTo(11);
            session.gdb().console("detach inferiors 2");
            assertThat(inferiors(session)).doesNotContain(child).hasSize(1);
        }
    }

    /** Where the checkpoints fall depends on the load; what is found must not. */
    @Test
    void shouldFindWritesOfOtherProcessesAtTheSamePlacesBothWaysOnBusyMachine() {
        try (BusyProcessors _ = new BusyProcessors();
                DebugSession session = open("sharedwatch")) {
            session.runTo("forked");
            session.watchLocation("*count");
            List<Long> values = values(session, 30, true);
            // The parent sees what the children wrote when it goes on, and then what it writes itself.
            assertThat(values).isSorted().doesNotHaveDuplicates().first().isNotEqualTo(0L);
            for (int round = 0; round < 3; round++) {
                assertThat(values(session, 29, false))
                        .isEqualTo(values.reversed().subList(1, 30));
                assertThat(values(session, 29, true)).isEqualTo(values.subList(1, 30));
            }
        }
    }

    private static List<Long> values(DebugSession session, int stops, boolean forward) {
        List<Long> values = new ArrayList<>();
        for (int i = 0; i < stops; i++) {
            MiStop stop = forward ? session.forward() : session.reverse();
            assertThat(stop.historyEnd()).isFalse();
            values.add(session.integer("*count"));
        }
        return values;
    }

    /** A search begins at a checkpoint behind the breakpoint, in the segment of the fork: that is not where it ends. */
    @Test
    void shouldFindBreakpointBetweenForkAndCheckpointOfItsSegment() {
        try (DebugSession session = open("sharedwatch")) {
            session.runTo("forked");
            // Leaves a checkpoint some steps before this place, and long after the breakpoint.
            session.moveBack("step-instruction");
            session.breakAt("last-fork");
            MiStop stop = session.reverse();
            assertThat(stop.historyEnd()).isFalse();
            assertThat(stop.line()).isEqualTo(session.guest().line("last-fork"));
            assertThat(session.integer("computed")).isZero();
        }
    }

    /** Keeps all processors busy. */
    private static final class BusyProcessors implements AutoCloseable {
        private volatile boolean over;

        BusyProcessors() {
            for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
                Thread.ofPlatform().daemon().name("busy-" + i).start(() -> {
                    while (!over) {
                        Thread.onSpinWait();
                    }
                });
            }
        }

        @Override
        public void close() {
            over = true;
        }
    }
}
