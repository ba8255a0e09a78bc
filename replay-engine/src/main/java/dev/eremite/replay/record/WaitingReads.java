package dev.eremite.replay.record;

import dev.eremite.detcore.syscall.Errno;
import dev.eremite.detcore.syscall.SyscallNumbers;
import dev.eremite.replay.guest.TaskCallView;
import dev.eremite.replay.record.RecordedTask.Call;
import dev.eremite.replay.record.RecordedTask.State;
import dev.eremite.tracer.linux.FileStatus;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Sys;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.TracerException;

/**
 * Calls that wait for data while other threads run. The kernel writes as soon as the data comes, and another thread may
 * look at the buffer at any moment; so the data goes to memory of the recorder first, and to the buffer at the event.
 */
final class WaitingReads {
    private static final int BUFFER = 1;
    private static final int LENGTH = 2;
    private static final int FLAGS = 3;
    private static final int MSG_WAITALL = 0x100;

    private final Recorder recorder;
    private final ScratchMemory scratch;

    WaitingReads(Recorder recorder, ScratchMemory scratch) {
        this.recorder = recorder;
        this.scratch = scratch;
    }

    /** Whether the call of a task, which stands at its entry, needs another buffer. */
    boolean concerns(RecordedTask task) {
        TaskCallView view = task.call.view;
        int number = view.number();
        return (number == SyscallNumbers.READ || number == SyscallNumbers.RECVFROM)
                && view.arg(LENGTH) > 0
                && task.call.row.mayBlock().test(view)
                && sharesMemory(task)
                && (view.arg(LENGTH) <= ScratchMemory.LENGTH || maybeShort(task));
    }

    /** Whether another task may see the memory of this one. */
    private boolean sharesMemory(RecordedTask task) {
        if (task.borrowsMemory) {
            return true;
        }
        for (RecordedTask other : recorder.tasks()) {
            if (other != task && other.process == task.process && other.state != State.DEAD) {
                return true;
            }
        }
        return false;
    }

    /** Whether the call may return less than was asked for although there is more: from pipes and sockets. */
    private boolean maybeShort(RecordedTask task) {
        TaskCallView view = task.call.view;
        FileStatus status = recorder.tracer().fileStatus("/proc/" + task.tid + "/fd/" + (int) view.arg(0));
        boolean whole = view.number() == SyscallNumbers.RECVFROM && (view.arg(FLAGS) & MSG_WAITALL) != 0;
        return status != null && (status.fifo() || status.socket()) && !whole;
    }

    /**
     * Gives the call another buffer.
     *
     * @return whether the task has been resumed, and is going to enter the call once more
     */
    boolean redirect(RecordedTask task) {
        if (scratch.provide(task)) {
            return true;
        }
        if (task.scratch != 0) {
            task.tracee.setRegister(Reg.argument(BUFFER), task.scratch);
            if (task.call.view.arg(LENGTH) > ScratchMemory.LENGTH) {
                task.tracee.setRegister(Reg.argument(LENGTH), ScratchMemory.LENGTH);
            }
            task.call.redirected = true;
        }
        return false;
    }

    /** Gives a task that is leaving its call, or has been interrupted in it, the registers of the program back. */
    void restoreRegisters(RecordedTask task) {
        if (task.call != null && task.call.redirected) {
            task.tracee.setRegister(Reg.argument(BUFFER), task.call.view.arg(BUFFER));
            task.tracee.setRegister(Reg.argument(LENGTH), task.call.view.arg(LENGTH));
        }
    }

    /** The call has ended: brings the data to where it belongs. */
    void finish(RecordedTask task) {
        Call call = task.call;
        if (!call.redirected) {
            return;
        }
        restoreRegisters(task);
        call.redirected = false;
        long result = call.view.result();
        if (result <= 0) {
            return;
        }
        Tracee tracee = task.tracee;
        byte[] bytes = tracee.memory().readFully(task.scratch, (int) Math.min(result, call.view.arg(LENGTH)));
        try {
            tracee.memory().write(call.view.arg(BUFFER), bytes);
        } catch (TracerException e) {
            // Either the stack is to grow, which the kernel's own access would have caused, or the buffer is none.
            tracee.inject(Sys.ACCESS, call.view.arg(BUFFER), 0);
            task.deferred.addAll(tracee.heldSignals());
            tracee.heldSignals().clear();
            writeOrFail(task, bytes);
        }
    }

    private static void writeOrFail(RecordedTask task, byte[] bytes) {
        try {
            task.tracee.memory().write(task.call.view.arg(BUFFER), bytes);
        } catch (TracerException e) {
            task.tracee.setRegister(Reg.RAX, -Errno.EFAULT.number());
            task.call.view.result(-Errno.EFAULT.number());
        }
    }
}
