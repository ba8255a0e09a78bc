package dev.eremite.replay.record;

import dev.eremite.detcore.syscall.SyscallNumbers;

/** Kinds of calls that the recorder and the replayer treat by themselves. */
public final class CallKinds {
    private CallKinds() {}

    /** exit and exit_group. */
    public static boolean endsTask(int number) {
        return number == SyscallNumbers.EXIT || number == SyscallNumbers.EXIT_GROUP;
    }

    /** execve and execveat. */
    public static boolean isExec(int number) {
        return number == SyscallNumbers.EXECVE || number == SyscallNumbers.EXECVEAT;
    }
}
