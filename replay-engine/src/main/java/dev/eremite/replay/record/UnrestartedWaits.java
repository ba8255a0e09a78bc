package dev.eremite.replay.record;

import dev.eremite.detcore.syscall.Errno;
import dev.eremite.detcore.syscall.SyscallNumbers;
import dev.eremite.replay.guest.TaskCallView;
import dev.eremite.replay.record.RecordedTask.Call;
import dev.eremite.tracer.linux.Reg;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Calls that wait, and that the kernel does not restart after a signal (signal(7)): epoll_wait(2), semop(2),
 * sigtimedwait(2) and their relatives. A signal that the program ignores would not have woken them, but it wakes tasks that
 * are traced. They go on waiting, for what is left of their time.
 */
final class UnrestartedWaits {
    private static final long RESTARTED_WITHOUT_HANDLER = -514;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final int TIMESPEC_LENGTH = 16;
    private static final int NONE = -1;

    private final ScratchMemory scratch;

    /**
     * Where the time-out of a call is.
     *
     * @param argument its index; NONE where the call has none
     * @param pointer whether it is that of a struct timespec; otherwise it is the time in milliseconds
     */
    private record Timeout(int argument, boolean pointer) {}

    UnrestartedWaits(ScratchMemory scratch) {
        this.scratch = scratch;
    }

    private static Timeout timeout(int number) {
        return switch (number) {
            case SyscallNumbers.EPOLL_WAIT, SyscallNumbers.EPOLL_PWAIT -> new Timeout(3, false);
            case SyscallNumbers.EPOLL_PWAIT2, SyscallNumbers.SEMTIMEDOP -> new Timeout(3, true);
            case SyscallNumbers.RT_SIGTIMEDWAIT -> new Timeout(2, true);
            case SyscallNumbers.SEMOP -> new Timeout(NONE, false);
            default -> null;
        };
    }

    /**
     * Makes the kernel restart the call that a task is leaving, if it has been woken for nothing and no handler comes in
     * between.
     *
     * @return the result that the call has now
     */
    long result(RecordedTask task, long result) {
        if (result != -Errno.EINTR.number()
                || timeout(task.call.view.number()) == null
                || !Disposition.onlyIgnoredPending(task.tid)) {
            return result;
        }
        task.call.woken = true;
        task.tracee.setRegister(Reg.RAX, RESTARTED_WITHOUT_HANDLER);
        return RESTARTED_WITHOUT_HANDLER;
    }

    /**
     * Leaves the call that a task has entered again the rest of its time.
     *
     * @return whether the task has been resumed, and is going to enter the call once more
     */
    boolean shorten(RecordedTask task) {
        Call call = task.call;
        if (!call.woken) {
            return false;
        }
        TaskCallView view = call.view;
        Timeout timeout = timeout(view.number());
        if (timeout.argument == NONE) {
            return false;
        }
        long value = view.arg(timeout.argument);
        if (!timeout.pointer) {
            int millis = (int) value;
            if (millis > 0) {
                replace(task, timeout, Math.ceilDiv(left(call, millis * NANOS_PER_MILLI), NANOS_PER_MILLI));
            }
            return false;
        }
        byte[] bytes = value == 0 ? new byte[0] : task.tracee.memory().read(value, TIMESPEC_LENGTH);
        if (bytes.length < TIMESPEC_LENGTH) {
            return false;
        }
        if (scratch.provide(task)) {
            return true;
        }
        if (task.scratch != 0) {
            ByteBuffer timespec = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            long seconds = Math.min(timespec.getLong(0), Long.MAX_VALUE / NANOS_PER_SECOND - 1);
            long left = left(call, seconds * NANOS_PER_SECOND + timespec.getLong(8));
            timespec.putLong(0, left / NANOS_PER_SECOND).putLong(8, left % NANOS_PER_SECOND);
            task.tracee.memory().write(task.scratch, bytes);
            replace(task, timeout, task.scratch);
        }
        return false;
    }

    private static long left(Call call, long nanos) {
        return Math.max(0, nanos - (System.nanoTime() - call.entered));
    }

    private static void replace(RecordedTask task, Timeout timeout, long value) {
        task.tracee.setRegister(Reg.argument(timeout.argument), value);
        task.call.replaced = timeout.argument;
    }
}
