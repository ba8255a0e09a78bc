package dev.eremite.tracer.linux;

/** A status of waitpid(2) for a traced task. */
public record WaitStatus(int raw) {
    /** Event codes of ptrace(2), the third byte of a stop's status. */
    public static final int EVENT_FORK = 1;

    public static final int EVENT_VFORK = 2;
    public static final int EVENT_CLONE = 3;
    public static final int EVENT_EXEC = 4;
    public static final int EVENT_VFORK_DONE = 5;
    public static final int EVENT_EXIT = 6;
    public static final int EVENT_SECCOMP = 7;
    public static final int EVENT_STOP = 128;

    private static final int SYSCALL_STOP = 5 | 0x80;

    /** Ended by exit(2). */
    public boolean exited() {
        return (raw & 0x7f) == 0;
    }

    /** Ended by a signal. */
    public boolean killed() {
        int low = raw & 0x7f;
        return low != 0 && low != 0x7f;
    }

    /** Ended in either way. */
    public boolean ended() {
        return (raw & 0xff) != 0x7f;
    }

    /** The signal of a stop (with bit 7 removed for system-call stops). */
    public int signal() {
        return (raw >> 8) & 0x7f;
    }

    /** The ptrace event, or 0. */
    public int event() {
        return ended() ? 0 : (raw >> 16) & 0xff;
    }

    /** A system-call entry or exit stop (PTRACE_O_TRACESYSGOOD). */
    public boolean syscallStop() {
        return !ended() && event() == 0 && ((raw >> 8) & 0xff) == SYSCALL_STOP;
    }

    /** A signal-delivery stop, SIGTRAP included. */
    public boolean signalStop() {
        return !ended() && event() == 0 && !syscallStop();
    }

    /** A stop by stopping signals of the whole group (PTRACE_SEIZE: EVENT_STOP with such a signal). */
    public boolean groupStop() {
        int signal = signal();
        return event() == EVENT_STOP && (signal == 19 || signal == 20 || signal == 21 || signal == 22);
    }

    @Override
    public String toString() {
        if (exited()) {
            return "exited " + ((raw >> 8) & 0xff);
        }
        if (killed()) {
            return "killed by signal " + (raw & 0x7f);
        }
        return "stopped: signal " + signal() + " event " + event() + (syscallStop() ? " syscall" : "");
    }
}
