package dev.eremite.replay.record;

import dev.eremite.tracer.linux.EnginePage;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Sys;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.Tracee.Resume;
import java.util.BitSet;

/**
 * Memory of the recorder in guests, a piece for each task that needs one. The kernel writes there what a waiting call
 * returns, so that the program sees it at an event. Replay has no such memory.
 */
final class ScratchMemory {
    /** Bytes of a piece. */
    static final int LENGTH = 0x10000;

    private static final long FIRST = EnginePage.BUFFERS;
    private static final int PIECES = (int) ((EnginePage.BUFFERS_END - FIRST) / LENGTH);
    private static final int SYSCALL_LENGTH = 2;
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_PRIVATE_ANONYMOUS_FIXED_NORESERVE = 0x4032;

    private final BitSet used = new BitSet();

    /**
     * Makes sure that a task, which stands at the entry of a call, has a piece. Where it is new, the call is entered once
     * more, and the task runs.
     *
     * @return whether the task has been resumed
     */
    boolean provide(RecordedTask task) {
        if (task.scratch != 0) {
            return false;
        }
        int piece = used.nextClearBit(0);
        if (piece >= PIECES) {
            return false;
        }
        Tracee tracee = task.tracee;
        long number = tracee.register(Reg.ORIG_RAX);
        long address = FIRST + (long) piece * LENGTH;
        long mapped =
                tracee.inject(Sys.MMAP, address, LENGTH, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS_FIXED_NORESERVE, -1, 0);
        if (mapped == address) {
            used.set(piece);
            task.scratch = address;
        }
        task.deferred.addAll(tracee.heldSignals());
        tracee.heldSignals().clear();
        enterAgain(task, number);
        return true;
    }

    /** Lets a task, whose call has been skipped or has ended, enter a call with its present arguments. */
    static void enterAgain(RecordedTask task, long number) {
        Tracee tracee = task.tracee;
        tracee.setRegister(Reg.RAX, number);
        tracee.setRegister(Reg.RIP, tracee.register(Reg.RIP) - SYSCALL_LENGTH);
        tracee.orphanCall();
        task.boundary = null;
        tracee.resume(Resume.CONTINUE, 0);
    }

    /** A task's memory is gone, or it needs its piece no more. */
    void release(RecordedTask task) {
        if (task.scratch != 0) {
            used.clear((int) ((task.scratch - FIRST) / LENGTH));
            task.scratch = 0;
        }
    }
}
