package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.MemoryRegion;
import dev.eremite.replay.debug.DebugTarget.ThreadInfo;
import dev.eremite.replay.debug.ThreadRegisters;
import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.session.ReplayTask;
import dev.eremite.tracer.linux.EnginePage;
import dev.eremite.tracer.linux.ProcMaps;
import dev.eremite.tracer.linux.Reg;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Shows the debugged processes as they stand in a session, without the engine's traces. */
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
                threads.add(new ThreadInfo(task.process().pid(), task.tid(), task.name()));
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

    byte[] memory(ReplaySession session, int process, long address, int length) {
        ReplayTask task = scope.anyTask(session, process);
        if (task == null) {
            return new byte[0];
        }
        byte[] memory = task.tracee().memory().read(address, length);
        task.process().hideTraps(address, memory);
        return memory;
    }

    /** What is mapped in a process, but the engine's own. */
    List<MemoryRegion> regions(ReplaySession session, int process) {
        ReplayTask task = scope.anyTask(session, process);
        if (task == null) {
            return List.of();
        }
        List<MemoryRegion> regions = new ArrayList<>();
        for (ProcMaps.Entry entry : ProcMaps.read(task.tracee().tid())) {
            boolean engine = entry.start() < EnginePage.END && EnginePage.CODE < entry.end();
            if (!engine) {
                String rights = ((entry.prot() & 1) != 0 ? "r" : "")
                        + ((entry.prot() & 2) != 0 ? "w" : "")
                        + ((entry.prot() & 4) != 0 ? "x" : "");
                boolean kernels = entry.path().startsWith("[");
                String name = kernels ? entry.path() : task.process().mappedName(entry.start());
                regions.add(new MemoryRegion(entry.start(), entry.end(), rights, name));
            }
        }
        return regions;
    }

    /** The program that a process runs. */
    Effect.ExecImage image(ReplaySession session, int process) {
        ReplayTask task = scope.anyTask(session, process);
        if (task == null) {
            throw new IllegalArgumentException("no process " + process);
        }
        return task.process().image();
    }

    /** That of the signal which a thread is about to get. */
    Optional<byte[]> siginfo(ReplaySession session, int thread) {
        if (session.atEnd() || !(session.nextEvent() instanceof Event.Signal signal) || signal.task() != thread) {
            return Optional.empty();
        }
        return Optional.of(signal.siginfo());
    }
}
