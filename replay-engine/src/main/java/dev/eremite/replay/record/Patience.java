package dev.eremite.replay.record;

import dev.eremite.tracer.linux.Tracer;

/**
 * How long the scheduler waits for the current task before it gives the processor to another. While no other is ready it
 * waits for ever.
 */
final class Patience {
    private static final long TURN_NANOS = 4_000_000;
    private static final int SPINS = 40;
    private static final long BLOCKING_WAIT_NANOS = 60_000;
    private static final long OTHER_WAIT_NANOS = 5_000_000;
    private static final long USER_WAIT_NANOS = 2_000_000;

    /** An interruption inside code costs some milliseconds, so it must be rare, unless the task gets nothing done. */
    private static final long COMPUTE_NANOS = 40_000_000;

    private static final long SPIN_NANOS = 5_000_000;

    private final Tracer tracer;
    private long turnStart;
    private long turnEnd;
    private boolean mayBlock;
    private int polls;

    Patience(Tracer tracer) {
        this.tracer = tracer;
    }

    void beginTurn() {
        turnStart = System.nanoTime();
        turnEnd = turnStart + TURN_NANOS;
    }

    /** Ends the current task's turn. */
    void endTurn() {
        turnEnd = System.nanoTime();
    }

    /** Whether the current task has had the processor for so long that it is to be interrupted inside its code. */
    boolean exhausted(RecordedTask task) {
        return System.nanoTime() - turnStart > (task.spins ? SPIN_NANOS : COMPUTE_NANOS);
    }

    /** Whether the current task has had the processor long enough. */
    boolean turnOver() {
        return System.nanoTime() > turnEnd;
    }

    void beginWait(boolean callMayBlock) {
        mayBlock = callMayBlock;
        polls = 0;
    }

    /** The time-out of the next wait, as {@link Tracer#waitAny} takes it. */
    long timeout(boolean othersReady, RecordedTask task, long killAt) {
        long limit = killAt == Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(1, killAt - System.nanoTime());
        if (task.call == null) {
            boolean watched = othersReady || !task.deferred.isEmpty();
            return watched ? Math.min(limit, USER_WAIT_NANOS) : limit == Long.MAX_VALUE ? -1 : limit;
        }
        if (!othersReady) {
            return limit == Long.MAX_VALUE ? -1 : limit;
        }
        if (!mayBlock) {
            return OTHER_WAIT_NANOS;
        }
        return polls++ < SPINS ? 0 : BLOCKING_WAIT_NANOS;
    }

    /** Whether the current task sleeps in the kernel. */
    boolean blocked(RecordedTask task) {
        if (mayBlock && polls < SPINS) {
            return false;
        }
        char state = tracer.taskState(task.tid);
        return state == 'S' || state == 'D' && !mayBlock;
    }
}
