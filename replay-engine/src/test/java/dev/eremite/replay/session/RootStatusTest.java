package dev.eremite.replay.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.RegisterProof;
import java.util.List;
import org.junit.jupiter.api.Test;

class RootStatusTest {
    private static final int ROOT = 100;
    private static final int CLONE = 56;
    private static final int EXECVE = 59;
    private final RootStatus root = new RootStatus(ROOT);

    @Test
    void shouldTakeTheStatusOfTheOnlyThread() {
        root.observe(exit(ROOT, 7 << 8));
        assertEquals(7 << 8, root.status());
    }

    @Test
    void shouldTakeTheStatusOfTheThreadThatEndedTheProcessAfterTheFirstOneHadLeft() {
        root.observe(spawn(ROOT, 101, ROOT));
        root.observe(exit(ROOT, 0));
        root.observe(exit(101, 5 << 8));
        assertEquals(5 << 8, root.status());
    }

    @Test
    void shouldIgnoreOtherProcesses() {
        root.observe(spawn(ROOT, 102, 102));
        root.observe(exit(ROOT, 3 << 8));
        root.observe(exit(102, 9));
        assertEquals(3 << 8, root.status());
    }

    @Test
    void shouldForgetThreadsThatAnExecEnded() {
        root.observe(spawn(ROOT, 101, ROOT));
        root.observe(exit(ROOT, 9));
        root.observe(call(
                101,
                EXECVE,
                new Effect.Exec(
                        new Effect.ExecImage("/bin/true", List.of(), List.of(), new long[27], new byte[0], 0))));
        assertEquals(0, root.status());
        root.observe(exit(ROOT, 4 << 8));
        assertEquals(4 << 8, root.status());
    }

    private static Event spawn(int task, int child, int process) {
        return call(task, CLONE, new Effect.Spawn(child, process, 0, 0, 0, 0, child));
    }

    private static Event call(int task, int number, Effect effect) {
        return new Event.Syscall(task, new RegisterProof(1, 2, 3), number, new long[6], 0, List.of(), 0, effect);
    }

    private static Event exit(int task, int status) {
        return new Event.TaskExit(task, status, List.of());
    }
}
