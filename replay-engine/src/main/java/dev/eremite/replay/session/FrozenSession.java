package dev.eremite.replay.session;

import dev.eremite.tracer.linux.EnginePage;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Sys;
import dev.eremite.tracer.linux.TaskGoneException;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.TracerException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A copy of a replay session that never runs. Each process is a fork, which shares its pages until they are written; of its
 * threads only one exists, and the others are made again when a running session is made from it.
 */
public final class FrozenSession implements AutoCloseable {
    /** CLONE_PARENT | SIGCHLD: a fork whose parent is the engine, which reaps it. */
    private static final long FORK_FLAGS = 0x8000 | 17;

    /** CLONE_VM, CLONE_FS, CLONE_FILES, CLONE_SIGHAND, CLONE_THREAD, CLONE_SYSVSEM. */
    private static final long THREAD_FLAGS = 0x100 | 0x200 | 0x400 | 0x800 | 0x10000 | 0x40000;

    private record Thread(int tid, String name, boolean inCall, long[] registers, byte[] xsave) {}

    private record Process(ReplayProcess process, Tracee tracee, List<Thread> threads) {}

    private final ReplaySession.Stand stand;
    private final List<Process> processes;
    private final List<Integer> order;
    private final SharedObjects objects;

    private FrozenSession(
            ReplaySession.Stand stand, List<Process> processes, List<Integer> order, SharedObjects objects) {
        this.stand = stand;
        this.processes = processes;
        this.order = order;
        this.objects = objects;
    }

    /**
     * Freezes a copy of a session, which itself stays as it is.
     *
     * @return empty while a process borrows its parent's memory (vfork(2)), which a fork cannot copy
     */
    public static Optional<FrozenSession> of(ReplaySession session) {
        for (ReplayTask task : session.tasks().values()) {
            if (task.process().borrowedMemory()) {
                return Optional.empty();
            }
        }
        Map<ReplayProcess, List<Thread>> threads = new LinkedHashMap<>();
        Map<ReplayProcess, Tracee> first = new LinkedHashMap<>();
        for (ReplayTask task : session.tasks().values()) {
            threads.computeIfAbsent(task.process(), p -> new ArrayList<>());
            first.putIfAbsent(task.process(), task.tracee());
        }
        for (ReplayTask task : session.tasks().values()) {
            threads.get(task.process())
                    .add(new Thread(
                            task.tid(),
                            task.name(),
                            task.inCall(),
                            task.tracee().registers(),
                            task.tracee().xsave()));
        }
        SharedObjects objects = session.objects().copy();
        List<Process> processes = new ArrayList<>();
        for (Map.Entry<ReplayProcess, List<Thread>> entry : threads.entrySet()) {
            ReplayProcess process = entry.getKey();
            Tracee copy = fork(session, first.get(process));
            if (!objects.isEmpty()) {
                AddressSpace.remapShared(copy, session.objects(), objects);
            }
            processes.add(new Process(process.copy(process.pid()), copy, entry.getValue()));
        }
        return Optional.of(new FrozenSession(
                session.stand(), processes, List.copyOf(session.tasks().keySet()), objects));
    }

    private static Tracee fork(ReplaySession session, Tracee tracee) {
        long tid = tracee.inject(Sys.CLONE, FORK_FLAGS, 0, 0, 0, 0);
        if (tid < 0) {
            throw new TracerException("fork for a checkpoint", (int) -tid);
        }
        Tracee child = session.tracer().tracee((int) tid);
        session.tracer().waitFor(child);
        child.orphanCall();
        return child;
    }

    /** How many processes are frozen here. */
    public int size() {
        return processes.size();
    }

    /**
     * A running session that stands where the original stood.
     *
     * @throws IllegalStateException when this has been closed
     */
    public ReplaySession thaw(ReplaySession like) {
        if (processes.isEmpty() && !order.isEmpty()) {
            throw new IllegalStateException("the checkpoint before event " + stand.next() + " has been dropped");
        }
        SharedObjects copies = objects.copy();
        Map<Integer, ReplayTask> made = new LinkedHashMap<>();
        for (Process frozen : processes) {
            ReplayProcess process = frozen.process().copy(frozen.process().pid());
            Tracee main = fork(like, frozen.tracee());
            if (!copies.isEmpty()) {
                AddressSpace.remapShared(main, objects, copies);
            }
            boolean first = true;
            for (Thread thread : frozen.threads()) {
                Tracee tracee = first ? main : newThread(like, main);
                first = false;
                tracee.setXsave(thread.xsave());
                tracee.setRegisters(thread.registers());
                tracee.orphanCall();
                ReplayTask task = new ReplayTask(thread.tid(), process, tracee, thread.name());
                task.inCall(thread.inCall());
                made.put(thread.tid(), task);
            }
        }
        Map<Integer, ReplayTask> tasks = new LinkedHashMap<>();
        order.forEach(tid -> tasks.put(tid, made.get(tid)));
        return new ReplaySession(like, tasks, copies, stand);
    }

    private static Tracee newThread(ReplaySession session, Tracee main) {
        long tid = main.inject(Sys.CLONE, THREAD_FLAGS, 0, 0, 0, 0);
        if (tid < 0) {
            throw new TracerException("clone for a thread of a checkpoint", (int) -tid);
        }
        Tracee child = session.tracer().tracee((int) tid);
        session.tracer().waitFor(child);
        child.setRegister(Reg.RIP, EnginePage.PAUSE);
        child.orphanCall();
        return child;
    }

    @Override
    public void close() {
        for (Process process : processes) {
            Tracee tracee = process.tracee();
            tracee.tracer().kill(tracee.tid(), 9);
        }
        for (Process process : processes) {
            try {
                process.tracee().tracer().awaitEnd(process.tracee());
            } catch (TaskGoneException e) {
                // Killed from outside; that it is gone is what was wanted.
                continue;
            }
        }
        // Their numbers may be those of other processes soon.
        processes.clear();
        objects.close();
    }
}
