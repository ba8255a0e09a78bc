package dev.eremite.replay.record;

import dev.eremite.detcore.syscall.CallView;
import dev.eremite.detcore.syscall.Errno;
import dev.eremite.detcore.syscall.SyscallNumbers;
import dev.eremite.replay.guest.TaskCallView;
import dev.eremite.replay.record.RecordedTask.Call;
import dev.eremite.tracer.linux.FileStatus;
import dev.eremite.tracer.linux.PipePeek;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.TracerException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Calls that move data to a standard stream without the program's seeing it: sendfile(2), splice(2), tee(2),
 * copy_file_range(2). The recorder reads the data too, from the file afterwards or from the pipe before, so that replay
 * can repeat the output.
 */
final class MovedOutput {
    private static final int POLLIN = 1;
    private static final int SPLICE_F_NONBLOCK = 2;
    private static final long RESTARTED = -512;
    private static final int NONE = -1;

    private final Recorder recorder;
    private final Streams streams;
    private final ScratchMemory scratch;

    /**
     * Where the arguments of a call are, by their index.
     *
     * @param offset of the pointer to the file offset; NONE where the call has none
     * @param flags of the SPLICE_F flags; NONE where the call has none
     */
    private record Layout(int from, int to, int offset, int length, int flags) {}

    MovedOutput(Recorder recorder, Streams streams, ScratchMemory scratch) {
        this.recorder = recorder;
        this.streams = streams;
        this.scratch = scratch;
    }

    private static Layout layout(int number) {
        return switch (number) {
            case SyscallNumbers.SENDFILE -> new Layout(1, 0, 2, 3, NONE);
            case SyscallNumbers.SPLICE -> new Layout(0, 2, 1, 4, 5);
            case SyscallNumbers.COPY_FILE_RANGE -> new Layout(0, 2, 1, 4, NONE);
            case SyscallNumbers.TEE -> new Layout(0, 1, NONE, 2, 3);
            default -> null;
        };
    }

    /** Whether this is such a call, to a standard stream of the recording. */
    boolean concerns(RecordedTask task, CallView call) {
        Layout layout = layout(call.number());
        return layout != null && call.arg(layout.length) > 0 && streams.stream(task, (int) call.arg(layout.to)) != 0;
    }

    /**
     * Prepares the task's call at its entry.
     *
     * @return the result when the call is not to run; null when it is to run, or the task has been resumed
     */
    Long enter(RecordedTask task) {
        Call call = task.call;
        TaskCallView view = call.view;
        Layout layout = layout(view.number());
        String path = "/proc/" + task.tid + "/fd/" + (int) view.arg(layout.from);
        FileStatus status = recorder.tracer().fileStatus(path);
        if (status == null || status.regular()) {
            return null;
        }
        if (!status.fifo()) {
            // The data of sockets and devices cannot be read twice; the kernel too refuses many kinds of file like
            // this.
            return (long) -Errno.EINVAL.number();
        }
        byte[] waiting;
        try {
            waiting = PipePeek.peek(recorder.tracer(), path);
        } catch (TracerException e) {
            return (long) -Errno.EINVAL.number();
        }
        if (waiting != null) {
            int most = (int) Math.min(waiting.length, view.arg(layout.length));
            call.moved = Arrays.copyOf(waiting, most);
            if (most > 0) {
                task.tracee.setRegister(Reg.argument(layout.length), most);
                call.replaced = layout.length;
            }
            return null;
        }
        boolean waits = layout.flags == NONE || (view.arg(layout.flags) & SPLICE_F_NONBLOCK) == 0;
        if (!waits || SharedFiles.nonblocking(task.tid, (int) view.arg(layout.from))) {
            return (long) -Errno.EAGAIN.number();
        }
        waitForData(task, (int) view.arg(layout.from));
        return null;
    }

    /** Lets the task wait with poll(2) instead; then it is to enter the call again. */
    private void waitForData(RecordedTask task, int fd) {
        if (scratch.provide(task)) {
            task.call.again = true;
            return;
        }
        Tracee tracee = task.tracee;
        tracee.memory()
                .write(
                        task.scratch,
                        ByteBuffer.allocate(8)
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .putInt(fd)
                                .putInt(POLLIN)
                                .array());
        tracee.setRegister(Reg.ORIG_RAX, SyscallNumbers.POLL);
        tracee.setRegister(Reg.argument(0), task.scratch);
        tracee.setRegister(Reg.argument(1), 1);
        tracee.setRegister(Reg.argument(2), -1);
        task.call.polling = true;
    }

    /** The program's registers, before anything shows them. */
    void restoreRegisters(RecordedTask task) {
        Call call = task.call;
        if (call == null) {
            return;
        }
        if (call.polling) {
            for (int i = 0; i < 3; i++) {
                task.tracee.setRegister(Reg.argument(i), call.view.arg(i));
            }
        }
    }

    /**
     * The task, whose call was to wait, has left poll(2).
     *
     * @return whether it enters the call again; otherwise the call has been interrupted, and its result is set
     */
    boolean waited(RecordedTask task, long result) {
        restoreRegisters(task);
        task.call.polling = false;
        if (CallRecorder.isRestart(result)) {
            task.tracee.setRegister(Reg.ORIG_RAX, task.call.view.number());
            task.tracee.setRegister(Reg.RAX, RESTARTED);
            return false;
        }
        task.call.again = true;
        ScratchMemory.enterAgain(task, task.call.view.number());
        return true;
    }

    /** What a call has moved that has ended with a positive result; null when it is no such call. */
    byte[] moved(RecordedTask task) {
        Call call = task.call;
        TaskCallView view = call.view;
        if (view.result() <= 0 || !concerns(task, view)) {
            return null;
        }
        int length = (int) view.result();
        if (call.moved != null) {
            return Arrays.copyOf(call.moved, Math.min(length, call.moved.length));
        }
        Layout layout = layout(view.number());
        int fd = (int) view.arg(layout.from);
        long pointer = layout.offset == NONE ? 0 : view.arg(layout.offset);
        long end = pointer != 0 ? view.readLong(pointer) : SharedFiles.position(task.tid, fd);
        byte[] bytes = new byte[length];
        try (RandomAccessFile file = new RandomAccessFile("/proc/" + task.tid + "/fd/" + fd, "r")) {
            file.seek(end - length);
            file.readFully(bytes);
        } catch (IOException e) {
            throw new TracerException("reading what was moved to a standard stream", Errno.EINVAL.number());
        }
        return bytes;
    }
}
