package dev.eremite.replay.record;

import dev.eremite.detcore.syscall.CallView;
import dev.eremite.tracer.linux.Tracer;
import java.util.HashMap;
import java.util.Map;

/** Finds out which calls write to the recording's own standard output and error, so that replay can repeat them. */
final class Streams {
    private final Tracer tracer;
    private final int self = Tracer.ownPid();
    private final boolean merged;

    /** What was found out, by process and descriptor, since a descriptor was closed or replaced anywhere. */
    private final Map<Long, Integer> known = new HashMap<>();

    Streams(Tracer tracer) {
        this.tracer = tracer;
        merged = tracer.sameOpenFile(self, 1, self, 2) == 0;
    }

    /** After a call that may have closed descriptors, made them stand for other files, or used a task id again. */
    void changed(int number) {
        switch (number) {
            case CallNumbers.CLOSE,
                    CallNumbers.CLOSE_RANGE,
                    CallNumbers.DUP2,
                    CallNumbers.DUP3,
                    CallNumbers.EXECVE,
                    CallNumbers.EXECVEAT,
                    CallNumbers.UNSHARE,
                    CallNumbers.CLONE,
                    CallNumbers.CLONE3,
                    CallNumbers.FORK,
                    CallNumbers.VFORK -> known.clear();
            default -> {
                // A descriptor that is new has been closed before.
            }
        }
    }

    /** 1 or 2 for a call that wrote to that stream, else 0. */
    int of(RecordedTask task, CallView call, long result) {
        if (result <= 0) {
            return 0;
        }
        return switch (call.number()) {
            case CallNumbers.WRITE,
                    CallNumbers.PWRITE64,
                    CallNumbers.WRITEV,
                    CallNumbers.PWRITEV,
                    CallNumbers.PWRITEV2 -> stream(task, (int) call.arg(0));
            default -> 0;
        };
    }

    /**
     * Whether this is a call that moves data to a standard stream without the guest's seeing it. Replay could not repeat
     * that; the kernel refuses such calls for many kinds of file (EINVAL), so programs have another way.
     */
    boolean refuses(RecordedTask task, CallView call) {
        int target = switch (call.number()) {
            case CallNumbers.SENDFILE -> (int) call.arg(0);
            case CallNumbers.SPLICE, CallNumbers.COPY_FILE_RANGE -> (int) call.arg(2);
            case CallNumbers.TEE -> (int) call.arg(1);
            default -> -1;
        };
        return target >= 0 && stream(task, target) != 0;
    }

    private int stream(RecordedTask task, int fd) {
        // Threads may have tables of their own (clone(2) without CLONE_FILES), so that the thread is what counts.
        return known.computeIfAbsent((long) task.tid << 32 | fd & 0xffffffffL, _ -> compare(task, fd));
    }

    private int compare(RecordedTask task, int fd) {
        if (tracer.sameOpenFile(self, 1, task.tid, fd) == 0) {
            return merged && fd == 2 ? 2 : 1;
        }
        return !merged && tracer.sameOpenFile(self, 2, task.tid, fd) == 0 ? 2 : 0;
    }
}
