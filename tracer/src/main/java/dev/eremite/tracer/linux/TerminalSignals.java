package dev.eremite.tracer.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

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
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle SIGNAL = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("signal"), FunctionDescriptor.of(ADDRESS, JAVA_INT, ADDRESS));
    // Takes an int, touches nothing but registers: as good as an empty handler.
    private static final MemorySegment NOTHING = LINKER.defaultLookup().findOrThrow("abs");

    private final MemorySegment interrupt;
    private final MemorySegment quit;

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
        handle(SIGINT, interrupt);
        handle(SIGQUIT, quit);
    }

    private static MemorySegment survive(int signal) {
        // glibc's signal(3) sets SA_RESTART: a waitpid goes on.
        MemorySegment before = handle(signal, NOTHING);
        if (before.address() == SIG_IGN) {
            handle(signal, before);
        }
        return before;
    }

    private static MemorySegment handle(int signal, MemorySegment handler) {
        try {
            return (MemorySegment) SIGNAL.invokeExact(signal, handler);
        } catch (Throwable e) {
            throw new IllegalStateException("signal(3) cannot be called", e);
        }
    }
}
