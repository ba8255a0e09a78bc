package dev.eremite.replay.debug;

/**
 * Why and where the replay stopped.
 *
 * @param reason why
 * @param process the process of the thread
 * @param thread the thread that stopped
 * @param signal the signal for {@link Reason#SIGNAL}; the system call's number for SYSCALL_ENTRY and SYSCALL_RETURN;
 *     else 0
 * @param address the watched address that was hit for WATCH, READ_WATCH, ACCESS_WATCH, else 0
 * @param event the number of the next event at this position
 */
public record Stop(Reason reason, int process, int thread, int signal, long address, long event) {
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
        INTERRUPTED,
        /** Moving backwards reached the first instruction. */
        HISTORY_BEGIN,
        /** Moving forwards reached the end of the recording. */
        HISTORY_END
    }
}
