package dev.eremite.tracer.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;

/**
 * Ends the tracer thread's waits at a deadline or on demand. waitpid(2) knows no time-out; so a second thread sends the
 * waiting one a signal, again and again until it has left the wait, because a signal that comes just before the wait is
 * lost.
 */
final class WakeTimer {
    /** No wait is going on. */
    private static final long IDLE = Long.MAX_VALUE;

    /** A wait without a deadline is going on. */
    private static final long FOREVER = Long.MAX_VALUE - 1;

    private static final long RETRY_NANOS = 200_000;

    private final Tracer tracer;
    private final Thread thread;
    private volatile long deadline = IDLE;
    private volatile long parkedUntil;
    private volatile boolean woken;
    private volatile boolean closed;

    WakeTimer(Tracer tracer) {
        this.tracer = tracer;
        thread = Thread.ofPlatform().daemon().name("eremite-wake").unstarted(this::run);
        thread.start();
    }

    /** Before a wait: when to end it; negative for never, 0 when the wait does not block. */
    void arm(long timeoutNanos) {
        if (timeoutNanos == 0) {
            return;
        }
        long until = timeoutNanos > 0 ? System.nanoTime() + timeoutNanos : FOREVER;
        deadline = until;
        if (woken || until < parkedUntil && until != FOREVER) {
            LockSupport.unpark(thread);
        }
    }

    /** Whether the wait is to end now. Consumes a wake. */
    boolean due(long waitDeadline) {
        if (woken) {
            woken = false;
            return true;
        }
        return waitDeadline != 0 && System.nanoTime() >= waitDeadline;
    }

    void disarm() {
        deadline = IDLE;
    }

    void wake() {
        woken = true;
        LockSupport.unpark(thread);
    }

    void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(1000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment capture = Libc.newCapture(arena);
            while (!closed) {
                long until = deadline;
                if (until != IDLE && (woken || System.nanoTime() >= until)) {
                    tracer.signalOwner(capture);
                    LockSupport.parkNanos(RETRY_NANOS);
                } else {
                    park(until);
                }
            }
        }
    }

    private void park(long until) {
        boolean timed = until != IDLE && until != FOREVER;
        parkedUntil = timed ? until : Long.MAX_VALUE;
        // A deadline or a wake that came since the caller looked saw the old parkedUntil, so look again.
        if (deadline == until && !(woken && until != IDLE) && !closed) {
            if (timed) {
                LockSupport.parkNanos(Math.max(until - System.nanoTime(), 1));
            } else {
                LockSupport.park();
            }
        }
        parkedUntil = 0;
    }
}
