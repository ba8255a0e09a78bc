package dev.eremite.gdb;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * An interrupt that misses the movement it is meant for. A client that evaluates a breakpoint's condition itself gets a stop
 * and goes on within a moment, again and again; for its user the program runs all the time. So an interrupt right behind a
 * stop is kept for the movement that follows, but not for long: it is not to stop what the user asks for later.
 */
final class LateInterrupt {
    private static final long KEPT_NS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier clock;
    private boolean hasStopped;
    private long stopped;
    private boolean kept;
    private long since;

    /**
     * None so far.
     *
     * @param clock monotonic, in nanoseconds
     */
    LateInterrupt(LongSupplier clock) {
        this.clock = clock;
    }

    /** A movement has been interrupted. Another interrupt behind that was meant for it too. */
    void obeyed() {
        hasStopped = false;
        kept = false;
    }

    /**
     * A movement has ended by itself.
     *
     * @param missed whether it was to be interrupted
     */
    void stopped(boolean missed) {
        hasStopped = true;
        stopped = clock.getAsLong();
        kept = missed;
        since = stopped;
    }

    /** An interrupt has come while nothing moves. */
    void came() {
        long now = clock.getAsLong();
        if (hasStopped && now - stopped < KEPT_NS) {
            kept = true;
            since = now;
        }
    }

    /** Whether the movement that is to begin now is to stop where it stands. An interrupt is good for one movement. */
    boolean take() {
        boolean due = kept && clock.getAsLong() - since < KEPT_NS;
        kept = false;
        return due;
    }
}
