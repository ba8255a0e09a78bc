package dev.eremite.replay.record;

import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.syscall.SyscallNumbers;
import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.replay.guest.TaskCallView;
import dev.eremite.replay.record.RecordedTask.State;
import dev.eremite.tracer.linux.GuestMemory;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.Tracee.Resume;
import dev.eremite.tracer.linux.WaitStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Records how tasks begin, change their program, and end. */
final class TaskRecorder {
    private static final long CLONE_VM = 0x100;
    private static final long CLONE_PIDFD = 0x1000;
    private static final long CLONE_VFORK = 0x4000;
    private static final long CLONE_THREAD = 0x10000;
    private static final long CLONE_SETTLS = 0x80000;
    private static final long CLONE_PARENT_SETTID = 0x100000;
    private static final long CLONE_CHILD_CLEARTID = 0x200000;
    private static final long CLONE_UNTRACED = 0x800000;
    private static final long CLONE_CHILD_SETTID = 0x1000000;
    private static final int SIGCHLD = 17;
    private static final int CODE_SEGMENT_32 = 0x23;
    private static final long EXIT_WAIT_NANOS = 2_000_000_000L;

    private final Recorder recorder;
    private final ThreadIds ids = new ThreadIds();

    TaskRecorder(Recorder recorder) {
        this.recorder = recorder;
    }

    /** Before a call runs in the kernel: notes what would be lost, and takes away what would let a child escape. */
    void prepareCall(RecordedTask task) {
        if (CallKinds.isExec(task.call.view.number())) {
            task.call.deathWrites = recorder.deathWrites().of(task);
        }
        if (task.call.view.number() == SyscallNumbers.CLONE && (task.call.view.arg(0) & CLONE_UNTRACED) != 0) {
            task.tracee.setRegister(Reg.RDI, task.call.view.arg(0) & ~CLONE_UNTRACED);
        }
    }

    /** The kernel has created a task in the current one's call; logs the whole call now, since the child may run first. */
    void spawned(RecordedTask task) {
        int child = (int) task.tracee.eventMessage();
        TaskCallView view = task.call.view;
        long flags;
        long stack = 0;
        long tls = 0;
        long parentTid = 0;
        long childTid = 0;
        long pidfd = 0;
        switch (view.number()) {
            case SyscallNumbers.CLONE -> {
                flags = view.arg(0);
                stack = view.arg(1);
                parentTid = view.arg(2);
                pidfd = parentTid;
                childTid = view.arg(3);
                tls = view.arg(4);
            }
            case SyscallNumbers.CLONE3 -> {
                long args = view.arg(0);
                flags = view.readLong(args) | view.readLong(args + 32);
                pidfd = view.readLong(args + 8);
                childTid = view.readLong(args + 16);
                parentTid = view.readLong(args + 24);
                long base = view.readLong(args + 40);
                stack = base == 0 ? 0 : base + view.readLong(args + 48);
                tls = view.readLong(args + 56);
            }
            case SyscallNumbers.VFORK -> flags = CLONE_VFORK | CLONE_VM | SIGCHLD;
            default -> flags = SIGCHLD;
        }
        List<MemoryWrite> writes = new ArrayList<>(2);
        GuestMemory memory = task.tracee.memory();
        if ((flags & CLONE_PARENT_SETTID) != 0) {
            writes.add(new MemoryWrite(parentTid, memory.read(parentTid, 4)));
        }
        if ((flags & CLONE_PIDFD) != 0) {
            writes.add(new MemoryWrite(pidfd, memory.read(pidfd, 4)));
        }
        long childWord = (flags & (CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID)) != 0 ? childTid : 0;
        int process = (flags & CLONE_THREAD) != 0 ? task.process : child;
        ids.note(view, flags);
        recorder.calls()
                .complete(
                        task,
                        ids.seenBy(task.tid, child),
                        writes,
                        new Effect.Spawn(
                                child,
                                process,
                                flags,
                                stack,
                                (flags & CLONE_SETTLS) != 0 ? tls : 0,
                                childWord,
                                ids.ownOf(child)));
        RecordedTask born = recorder.addTask(child, process, recorder.tracer().tracee(child));
        born.affinity = task.affinity;
        born.filters = task.filters;
        born.strict = task.strict;
        recorder.traps().born(task, born);
        born.borrowsMemory = (flags & (CLONE_VM | CLONE_THREAD)) == CLONE_VM;
        born.clearChildTid = (flags & CLONE_CHILD_CLEARTID) != 0 ? childTid : 0;
        task.tracee.resume(Resume.SYSCALL, 0);
        if ((flags & CLONE_VFORK) != 0) {
            // It waits in the kernel until the child has executed a program or ended.
            task.state = State.IN_KERNEL;
        }
    }

    /** Which ids the guests know tasks by. */
    ThreadIds ids() {
        return ids;
    }

    /** The kernel has loaded a new program; the call's exit stop follows. */
    void execEvent(RecordedTask task) {
        if (task.tracee.register(Reg.CS) == CODE_SEGMENT_32) {
            throw new UnsupportedProgramException(ErrorCode.PROGRAM_NOT_64_BIT, "32-bit programs cannot be recorded");
        }
        task.tracee.resume(Resume.SYSCALL, 0);
    }

    /**
     * A thread other than the leader has called execve: it takes over the leader's id.
     *
     * @return the task under its new id, stopped at the event
     */
    RecordedTask adoptLeaderId(Tracee leader, WaitStatus stop) {
        RecordedTask caller = recorder.task((int) leader.eventMessage());
        if (caller == null || caller.tid == leader.tid()) {
            return null;
        }
        RecordedTask renamed = new RecordedTask(leader.tid(), caller.process, leader);
        renamed.call = caller.call;
        renamed.clockTrapped = caller.clockTrapped;
        renamed.filters = caller.filters;
        renamed.pendingStop = stop;
        caller.state = State.DEAD;
        recorder.rename(caller, renamed);
        return renamed;
    }

    /** execve has returned in the new program. */
    void execReturned(RecordedTask task) {
        for (RecordedTask other : recorder.tasksOf(task.process)) {
            if (other != task) {
                recorder.vanished(other);
            }
        }
        Effect image = adoptImage(task);
        recorder.calls().complete(task, 0, task.call.deathWrites, image);
        recorder.traps().settle(task);
        recorder.resumeUser(task, 0);
    }

    /** Completes a freshly loaded address space and describes it. */
    Effect adoptImage(RecordedTask task) {
        task.tracee.memory().close();
        recorder.calls().forgetMemory(task);
        task.clearChildTid = 0;
        task.robustList = 0;
        task.borrowsMemory = false;
        GuestLauncher.adopt(task.tracee);
        recorder.traps().forget(task);
        Effect effect = new Effect.Exec(ImageRecorder.capture(task.tracee, recorder.sink(), recorder.traps()));
        task.deferred.addAll(task.tracee.heldSignals());
        task.tracee.heldSignals().clear();
        return effect;
    }

    /** A task is about to end (PTRACE_EVENT_EXIT): lets it, and logs what the kernel writes at its death. */
    void exiting(RecordedTask task) {
        int status = (int) task.tracee.eventMessage();
        List<MemoryWrite> writes = recorder.deathWrites().of(task);
        task.tracee.resume(Resume.CONTINUE, 0);
        boolean taken = awaitDeath(task);
        recorder.ended(task, status, writes);
        if (taken) {
            recorder.noteStop(task.tracee);
        }
    }

    /** Waits for a task's end; true when its id stopped meanwhile, because another thread has taken it over by execve. */
    private boolean awaitDeath(RecordedTask task) {
        long deadline = System.nanoTime() + EXIT_WAIT_NANOS;
        int spins = 0;
        while (System.nanoTime() < deadline) {
            WaitStatus status = recorder.tracer().waitFor(task.tracee, 0);
            if (status != null && status.ended()) {
                recorder.reaped(task, status);
                recorder.tracer().forget(task.tracee);
                return false;
            }
            if (status != null) {
                return true;
            }
            char state = recorder.tracer().taskState(task.tid);
            if (state == 'Z' || state == 'X' || state == 0) {
                return false;
            }
            if (++spins > 50) {
                LockSupport.parkNanos(50_000);
            }
        }
        return false;
    }
}
