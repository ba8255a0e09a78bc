package dev.eremite.replay.record;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a signal does to a task (signal(7)). */
enum Disposition {
    /** A handler runs. */
    HANDLED,
    /** The process ends. */
    DEADLY,
    /** It is ignored, or stops or continues the process: nothing that guest code sees. */
    INVISIBLE;

    /** SIGCHLD, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH. */
    private static final long HARMLESS = bit(17) | bit(18) | bit(19) | bit(20) | bit(21) | bit(22) | bit(23) | bit(28);

    /** SIGCHLD, SIGCONT, SIGURG, SIGWINCH. */
    private static final long IGNORED_BY_DEFAULT = bit(17) | bit(18) | bit(23) | bit(28);

    /** The present disposition of a signal in a task, as /proc/PID/status tells it (proc_pid_status(5)). */
    static Disposition of(int tid, int signal) {
        long ignored;
        long caught;
        try {
            String status = status(tid);
            ignored = mask(status, "\nSigIgn:");
            caught = mask(status, "\nSigCgt:");
        } catch (IOException e) {
            return DEADLY;
        }
        if ((caught & bit(signal)) != 0) {
            return HANDLED;
        }
        return ((ignored | HARMLESS) & bit(signal)) != 0 ? INVISIBLE : DEADLY;
    }

    /** Whether all signals that wait for a task, which does not block them, are ignored; so it is where none waits. */
    static boolean onlyIgnoredPending(int tid) {
        try {
            String status = status(tid);
            long pending = mask(status, "\nSigPnd:") | mask(status, "\nShdPnd:");
            long ignored = (mask(status, "\nSigIgn:") | IGNORED_BY_DEFAULT) & ~mask(status, "\nSigCgt:");
            return (pending & ~mask(status, "\nSigBlk:") & ~ignored) == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static String status(int tid) throws IOException {
        return Files.readString(Path.of("/proc/" + tid + "/status"), StandardCharsets.ISO_8859_1);
    }

    private static long mask(String status, String name) {
        int at = status.indexOf(name) + name.length();
        return Long.parseUnsignedLong(
                status.substring(at, status.indexOf('\n', at)).strip(), 16);
    }

    private static long bit(int signal) {
        return 1L << (signal - 1);
    }
}
