package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.ThreadInfo;
import dev.eremite.replay.debug.ThreadRegisters;
import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.session.ReplayTask;
import dev.eremite.tracer.linux.Reg;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Shows the debugged process as it stands in a session, without the engine's traces. */
final class Inspection {
    /** The kernel sets it at a debug register's stop; it is none of the guest's. */
    private static final long RESUME_FLAG = 0x10000;

    private final DebugScope scope;
    private final ThreadRegisters.XsaveLayout layout;

    Inspection(DebugScope scope, ThreadRegisters.XsaveLayout layout) {
        this.scope = scope;
        this.layout = layout;
    }

    List<ThreadInfo> threads(ReplaySession session) {
        List<ThreadInfo> threads = new ArrayList<>();
        for (ReplayTask task : session.tasks().values()) {
            if (scope.sees(task)) {
                threads.add(new ThreadInfo(scope.process(), task.tid(), "thread " + task.tid()));
            }
        }
        return threads;
    }

    ThreadRegisters registers(ReplaySession session, int thread) {
        ReplayTask task = session.tasks().get(thread);
        if (task == null) {
            throw new IllegalArgumentException("no thread " + thread);
        }
        long[] general = task.tracee().registers();
        general[Reg.EFLAGS] &= ~RESUME_FLAG;
        return new ThreadRegisters(general, task.tracee().xsave(), layout);
    }

    byte[] memory(ReplaySession session, long address, int length) {
        ReplayTask task = scope.anyTask(session);
        if (task == null) {
            return new byte[0];
        }
        byte[] memory = task.tracee().memory().read(address, length);
        task.process().hideTraps(address, memory);
        return memory;
    }

    /** The program that the process runs. */
    Effect.ExecImage image(ReplaySession session) {
        return scope.anyTask(session).process().image();
    }

    /** That of the signal which a thread is about to get. */
    Optional<byte[]> siginfo(ReplaySession session, int thread) {
        if (session.atEnd() || !(session.nextEvent() instanceof Event.Signal signal) || signal.task() != thread) {
            return Optional.empty();
        }
        return Optional.of(signal.siginfo());
    }
}
