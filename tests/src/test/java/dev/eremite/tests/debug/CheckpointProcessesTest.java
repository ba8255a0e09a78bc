package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.Command;
import dev.eremite.tests.mi.DebugSession;
import dev.eremite.tests.mi.DebugSession.Backend;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of the processes of checkpoints that are not needed any more. */
@Tag("slow")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class CheckpointProcessesTest {
    /** Of a process whose threads are just ending. */
    private static final int MOST_ZOMBIES = 2;

    @Test
    void shouldReapProcessesOfSeveralThreads() {
        try (DebugSession session = DebugSession.open(Backend.REPLAY, "threads4")) {
            session.runTo("work-end");
            for (int i = 0; i < 20; i++) {
                session.moveBack("step");
                session.moveBack("step-instruction");
            }
            assertThat(session.gdb().command("-thread-info").list("threads")).hasSizeGreaterThan(1);
            assertThat(children(session.server().pid())).hasSizeGreaterThan(1);
            assertThat(children(session.server().pid()))
                    .filteredOn(state -> state.startsWith("Z"))
                    .hasSizeLessThanOrEqualTo(MOST_ZOMBIES);
        }
    }

    /** As the kernel does when memory is short: of the present place's process, the oldest, and of the last checkpoint's. */
    @ParameterizedTest(name = "of all processes, sed -n {0}")
    @ValueSource(strings = {"1p", "1p;$p"})
    void shouldGoOnFromCheckpointWhenProcessesWereKilled(String which) {
        try (DebugSession session = DebugSession.open(Backend.REPLAY, "basics")) {
            session.runTo("main-progress");
            String children = "pgrep -P " + session.server().pid() + " | sort -n | sed -n '" + which + "'";
            new Command(List.of("sh", "-c", "kill -9 $(" + children + ")")).run();
            session.gdb().tryToResume("-exec-step");
            assertThat(session.gdb().console("monitor when")).startsWith("event ");
            session.runTo("main-print-keys");
            assertThat(session.moveBack("step").historyEnd()).isFalse();
        }
    }

    /** The states of a process's children. */
    private static List<String> children(long pid) {
        return new Command(List.of("ps", "-o", "state=", "--ppid", Long.toString(pid)))
                .run()
                .output()
                .lines()
                .toList();
    }
}
