package dev.eremite.tracer.linux;

/**
 * While a guest runs, what is typed at the terminal is for the guest. It is in the same process group, so the kernel
 * sends it SIGINT (^C) and SIGQUIT (^\) itself; this process only has to survive them, and the JVM must not print its
 * threads. The handler is a function that does nothing, not SIG_IGN, because ignored signals stay ignored over execve
 * (signal(7)) and the guest would inherit that.
 */
public final class TerminalSignals implements AutoCloseable {
    private static final int SIGINT = 2;
    private static final int SIGQUIT = 3;
    private static final long SIG_IGN = 1;
    private final long interrupt;
    private final long quit;

    private TerminalSignals() {
        interrupt = survive(SIGINT);
        quit = survive(SIGQUIT);
    }

    /** Takes effect at once and until {@link #close}. Signals that were ignored before stay ignored. */
    public static TerminalSignals leaveToGuest() {
        return new TerminalSignals();
    }

    @Override
    public void close() {
        Libc.signal(SIGINT, interrupt);
        Libc.signal(SIGQUIT, quit);
    }

    private static long survive(int signal) {
        // glibc's signal(3) sets SA_RESTART: a waitpid goes on.
        long before = Libc.signal(signal, Libc.nothing());
        if (before == SIG_IGN) {
            Libc.signal(signal, before);
        }
        return before;
    }
}
