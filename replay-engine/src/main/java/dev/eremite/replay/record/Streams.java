package dev.eremite.replay.record;

import dev.eremite.detcore.syscall.CallView;
import dev.eremite.tracer.linux.Tracer;

/** Finds out which calls write to the recording's own standard output and error, so that replay can repeat them. */
final class Streams {
    private final Tracer tracer;
    private final int self = Tracer.ownPid();
    private final boolean merged;

    Streams(Tracer tracer) {
        this.tracer = tracer;
        merged = tracer.sameOpenFile(self, 1, self, 2) == 0;
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
        if (tracer.sameOpenFile(self, 1, task.tid, fd) == 0) {
            return merged && fd == 2 ? 2 : 1;
        }
        return !merged && tracer.sameOpenFile(self, 2, task.tid, fd) == 0 ? 2 : 0;
    }
}
