package dev.eremite.replay.record;

import dev.eremite.detcore.syscall.CallView;
import dev.eremite.detcore.syscall.SyscallNumbers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The ids by which guests know tasks. In a PID namespace (pid_namespaces(7)) they are others than those that the recorder
 * sees, which stand for the tasks in the log.
 */
final class ThreadIds {
    private static final long CLONE_NEWPID = 0x20000000;
    private static final String LINE = "\nNSpid:";

    /** Whether a guest may be in a namespace of its own; until then no task needs to be looked at. */
    private boolean namespaces;

    /** After a call that has succeeded, or before a clone with the given flags. */
    void note(CallView call, long cloneFlags) {
        namespaces |= call.number() == SyscallNumbers.SETNS
                || call.number() == SyscallNumbers.UNSHARE && (call.arg(0) & CLONE_NEWPID) != 0
                || (cloneFlags & CLONE_NEWPID) != 0;
    }

    /** The id of a task as another task knows it. */
    int seenBy(int observer, int tid) {
        if (!namespaces) {
            return tid;
        }
        String[] own = ids(observer);
        String[] ids = ids(tid);
        return own.length == 0 || ids.length < own.length ? tid : Integer.parseInt(ids[own.length - 1]);
    }

    /** The id of a task as the task itself knows it. */
    int ownOf(int tid) {
        if (!namespaces) {
            return tid;
        }
        String[] ids = ids(tid);
        return ids.length == 0 ? tid : Integer.parseInt(ids[ids.length - 1]);
    }

    /** A task's ids from the outermost namespace to its own (proc_pid_status(5)); none when it is gone. */
    private static String[] ids(int tid) {
        try {
            String status = Files.readString(Path.of("/proc/" + tid + "/status"), StandardCharsets.ISO_8859_1);
            int at = status.indexOf(LINE);
            return at < 0
                    ? new String[0]
                    : status.substring(at + LINE.length(), status.indexOf('\n', at + 1))
                            .strip()
                            .split("\\s+");
        } catch (IOException e) {
            return new String[0];
        }
    }
}
