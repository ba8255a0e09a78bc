package dev.eremite.replay.record;

import dev.eremite.detcore.syscall.CallView;
import dev.eremite.detcore.syscall.SyscallNumbers;
import dev.eremite.tracer.linux.FileStatus;
import dev.eremite.tracer.linux.Tracer;
import java.util.HashMap;
import java.util.Map;

/** Finds out which calls write to the recording's own standard output and error, so that replay can repeat them. */
final class Streams {
    private final Tracer tracer;
    private final int self = Tracer.ownPid();
    private final boolean merged;

    /** What was found out, by descriptor and task, since the descriptor was closed or replaced anywhere. */
    private final Map<Integer, Map<Integer, Integer>> known = new HashMap<>();

    /** The files of the recording's own streams. */
    private final FileStatus[] own = new FileStatus[3];

    Streams(Tracer tracer) {
        this.tracer = tracer;
        merged = tracer.sameOpenFile(self, 1, self, 2) == 0;
        for (int stream = 1; stream <= 2; stream++) {
            own[stream] = tracer.fileStatus("/proc/" + self + "/fd/" + stream);
        }
    }

    /** After a call that may have closed descriptors, made them stand for other files, or used a task id again. */
    void changed(CallView call) {
        switch (call.number()) {
            case SyscallNumbers.CLOSE -> known.remove((int) call.arg(0));
            case SyscallNumbers.DUP2, SyscallNumbers.DUP3 -> known.remove((int) call.arg(1));
            case SyscallNumbers.CLOSE_RANGE,
                    SyscallNumbers.EXECVE,
                    SyscallNumbers.EXECVEAT,
                    SyscallNumbers.UNSHARE,
                    SyscallNumbers.CLONE,
                    SyscallNumbers.CLONE3,
                    SyscallNumbers.FORK,
                    SyscallNumbers.VFORK -> known.clear();
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
            case SyscallNumbers.WRITE,
                    SyscallNumbers.PWRITE64,
                    SyscallNumbers.WRITEV,
                    SyscallNumbers.PWRITEV,
                    SyscallNumbers.PWRITEV2,
                    SyscallNumbers.SENDFILE,
                    SyscallNumbers.VMSPLICE -> stream(task, (int) call.arg(0));
            case SyscallNumbers.SPLICE, SyscallNumbers.COPY_FILE_RANGE -> stream(task, (int) call.arg(2));
            case SyscallNumbers.TEE -> stream(task, (int) call.arg(1));
            default -> 0;
        };
    }

    /** 1 or 2 for a descriptor that stands for that stream, else 0. */
    int stream(RecordedTask task, int fd) {
        // Threads may have tables of their own (clone(2) without CLONE_FILES), so that the thread is what counts.
        return known.computeIfAbsent(fd, _ -> new HashMap<>()).computeIfAbsent(task.tid, _ -> compare(task, fd));
    }

    private int compare(RecordedTask task, int fd) {
        if (tracer.sameOpenFile(self, 1, task.tid, fd) == 0) {
            return merged && fd == 2 ? 2 : 1;
        }
        if (!merged && tracer.sameOpenFile(self, 2, task.tid, fd) == 0) {
            return 2;
        }
        return reopened(task, fd);
    }

    /** The stream of a descriptor that was got by opening /dev/stdout or the like once more. */
    private int reopened(RecordedTask task, int fd) {
        String path = "/proc/" + task.tid + "/fd/" + fd;
        FileStatus status = tracer.fileStatus(path);
        if (status == null || !status.regular() && !status.fifo() && !isTerminal(path)) {
            return 0;
        }
        for (int stream = 1; stream <= 2; stream++) {
            FileStatus one = own[stream];
            if (one != null && one.device() == status.device() && one.inode() == status.inode()) {
                return stream;
            }
        }
        return 0;
    }

    private boolean isTerminal(String path) {
        String target = tracer.linkTarget(path);
        return target != null && target.startsWith("/dev/pts/");
    }
}
