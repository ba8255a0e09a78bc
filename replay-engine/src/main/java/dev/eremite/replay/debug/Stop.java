package dev.eremite.replay.debug;

/**
 * Why and where the replay stopped.
 *
 * @param reason why
 * @param process the process of the thread
 * @param thread the thread that stopped
 * @param number the signal for {@link Reason#SIGNAL}; the system call for SYSCALL_ENTRY and SYSCALL_RETURN; the child's
 *     process for FORK and VFORK; the wait status for EXITED; else 0
 * @param address the watched address that was hit for WATCH, READ_WATCH, ACCESS_WATCH, else 0
 * @param event the number of the next event at this position
 * @param program the path of the program for EXEC, else empty
 */
public record Stop(Reason reason, int process, int thread, int number, long address, long event, String program) {
    /** Kinds of stop. */
    public enum Reason {
        /** The first stop, or after a seek. */
        ATTACHED,
        STEP,
        BREAKPOINT,
        HARDWARE_BREAKPOINT,
        WATCH,
        READ_WATCH,
        ACCESS_WATCH,
        SIGNAL,
        /** About to make a system call that {@link DebugTarget#catchSyscalls} asked for. */
        SYSCALL_ENTRY,
        /** Behind a system call that {@link DebugTarget#catchSyscalls} asked for. */
        SYSCALL_RETURN,
        /** The process has a child, which is debugged too from here on, until {@link DebugTarget#detach}. */
        FORK,
        /** As FORK, and the child uses the parent's memory. */
        VFORK,
        /** The child of a VFORK, or the way back, has given the parent's memory up. */
        VFORK_DONE,
        /** The process runs another program: behind execve(2), or, going backwards, in front of it. */
        EXEC,
        /** A process is no longer there: it has ended, or, going backwards, it is not born yet. Others are left. */
        EXITED,
        /** Going backwards, a debugged process is there again, whose end this is. */
        APPEARED,
        INTERRUPTED,
        /** Moving backwards reached the first instruction. */
        HISTORY_BEGIN,
        /** Moving forwards reached the end of the recording. */
        HISTORY_END
    }

    /** A stop without a program. */
    public Stop(Reason reason, int process, int thread, int number, long address, long event) {
        this(reason, process, thread, number, address, event, "");
    }
}
