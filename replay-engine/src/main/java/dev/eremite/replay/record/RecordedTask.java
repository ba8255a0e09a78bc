package dev.eremite.replay.record;

import dev.eremite.detcore.syscall.SyscallRow;
import dev.eremite.replay.event.Landmark;
import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.replay.event.RegisterProof;
import dev.eremite.replay.guest.TaskCallView;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.Tracee.HeldSignal;
import dev.eremite.tracer.linux.WaitStatus;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** A guest thread while it is recorded. */
final class RecordedTask {
    /** What the scheduler may do with a task. */
    enum State {
        /** Has the processor: runs guest code, or a call that has not been seen to wait. */
        RUNNING,
        /** Stopped, and waits for the processor. */
        READY,
        /** Waits in the kernel. */
        IN_KERNEL,
        /** Stopped by a stopping signal, until SIGCONT. */
        GROUP_STOPPED,
        /** Created, but its first stop has not been seen yet. */
        UNBORN,
        /** Its end is in the log. */
        DEAD
    }

    /** A call that has been entered. */
    static final class Call {
        final SyscallRow row;
        final TaskCallView view;
        final RegisterProof proof;

        /** Whether its entry is in the log by itself. */
        boolean entryLogged;

        /** Whether its whole event is in the log already (clone, whose child must be known before it returns). */
        boolean complete;

        /** Whether a signal interrupted it and the kernel is to restart it. */
        boolean interrupted;

        /** Whether its buffer is memory of the recorder; see {@link WaitingReads}. */
        boolean redirected;

        /** Whether it waits in poll(2) instead; see {@link MovedOutput}. */
        boolean polling;

        /** Whether it is going to be entered once more, without an event. */
        boolean again;

        /** The argument whose register has another value, a smaller length or time; negative for none. */
        int replaced = -1;

        /** Whether it has been woken for nothing and waits on; see {@link UnrestartedWaits}. */
        boolean woken;

        /** When it was entered first, System.nanoTime(). */
        final long entered = System.nanoTime();

        /** What it is going to move to a standard stream, where that was known at its entry. */
        byte[] moved;

        /** With execve: what the kernel writes to the old memory when it succeeds. */
        List<MemoryWrite> deathWrites = List.of();

        /** The id of the task that entered it; execve may change that of the task that leaves it. */
        final int caller;

        Call(int caller, SyscallRow row, TaskCallView view, RegisterProof proof) {
            this.caller = caller;
            this.row = row;
            this.view = view;
            this.proof = proof;
        }
    }

    final int tid;
    final int process;
    final Tracee tracee;
    final Deque<HeldSignal> deferred = new ArrayDeque<>();
    State state = State.UNBORN;
    WaitStatus pendingStop;
    Call call;

    /**
     * The registers as they were when the task last resumed in user mode, with a mark that is lost with the first
     * instruction ({@link Tracee#markUnmoved}); null when that is not a boundary.
     */
    long[] boundary;

    /** What names the boundary when it is no event; the first event there carries it. */
    Landmark landmark;

    /** Whether it has run guest code. */
    boolean started;

    /** Whether it was found spinning when it was last looked at. */
    boolean spins;

    /** Set while a deferred signal has been sent again and its stop is awaited. */
    HeldSignal resent;

    /** When the oldest deferred signal has waited long enough, System.nanoTime(). */
    long deferredDeadline;

    /** The proof of an entry that was put off for a signal; the signal lands there. */
    RegisterProof interruptedProof;

    /** The signals that the program blocks, while all are blocked ({@link SignalRecorder#quiet}); else null. */
    Long programMask;

    /** Whether its last call was the return from a handler. */
    boolean afterHandler;

    /** How many signals of timers have come right after a handler, before the task could go on. */
    int timersInRow;

    /** Whether its next call has been put off already for a signal. */
    boolean putOff;

    /** The head of the robust futex list (set_robust_list(2)), or 0. */
    long robustList;

    /** Where the kernel clears the thread id at the task's death, or 0. */
    long clearChildTid;

    /** The filters that it has installed or inherited, oldest first; see {@link GuestFilters}. */
    List<FilterProgram> filters = List.of();

    /** Whether it may only read, write, exit and return from signals (SECCOMP_MODE_STRICT). */
    boolean strict;

    /** Memory of the recorder in the task's address space, or 0; see {@link ScratchMemory}. */
    long scratch;

    /** Whether its memory is that of another process (vfork, CLONE_VM without CLONE_THREAD). */
    boolean borrowsMemory;

    /** Whether RDTSC faults in it (prctl(2) PR_SET_TSC). */
    boolean clockTrapped;

    /** The processors that it has asked for, where {@link ProcessorBinding} answers; null for all. */
    byte[] affinity;

    RecordedTask(int tid, int process, Tracee tracee) {
        this.tid = tid;
        this.process = process;
        this.tracee = tracee;
    }

    /**
     * Notes that the task, which is about to resume, stands at a boundary.
     *
     * @param name what names the place when no event does, or null
     */
    void setBoundary(Landmark name) {
        tracee.markUnmoved();
        boundary = tracee.registers();
        landmark = name;
    }

    /**
     * Whether the stopped task has run no instruction since the boundary. Registers alone do not tell: in a recursion they
     * soon come round again.
     */
    boolean isAtBoundary() {
        return Arrays.equals(tracee.registersView(), boundary);
    }

    @Override
    public String toString() {
        return "task " + tid + " " + state;
    }
}
