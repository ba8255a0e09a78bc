package dev.eremite.detcore.syscall;

/** Names of signals, as in signal(7) on x86-64. */
public final class SignalNames {
    private static final String[] NAMES = {
        "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM",
        "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF",
        "WINCH", "IO", "PWR", "SYS"
    };

    private static final int FIRST_REALTIME = 32;
    private static final int LAST = 64;

    private SignalNames() {}

    /** SIGINT for 2, SIGRT_2 for 34, the number itself where there is no such signal. */
    public static String name(int signal) {
        if (signal >= 1 && signal <= NAMES.length) {
            return "SIG" + NAMES[signal - 1];
        }
        if (signal >= FIRST_REALTIME && signal <= LAST) {
            return signal == FIRST_REALTIME ? "SIGRTMIN" : "SIGRT_" + (signal - FIRST_REALTIME);
        }
        return Integer.toString(signal);
    }
}
