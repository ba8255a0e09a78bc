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

    /** The states of a process's children. */
    private static List<String> children(long pid) {
        return new Command(List.of("ps", "-o", "state=", "--ppid", Long.toString(pid)))
                .run()
                .output()
                .lines()
                .toList();
    }
}
