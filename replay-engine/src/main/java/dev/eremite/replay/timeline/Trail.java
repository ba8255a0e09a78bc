package dev.eremite.replay.timeline;

import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.timeline.Run.End;
import dev.eremite.replay.timeline.Run.Outcome;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The checkpoints that a run forward leaves close to each other, of which only the last are kept: who stops somewhere mostly
 * wants to go back a little, and what that costs is the run from the last checkpoint.
 */
final class Trail {
    private static final long SPACING_NANOS = 8_000_000;

    /** How many times longer than to make a checkpoint it takes to run to the next one. */
    private static final int COST_FACTOR = 25;

    /** Two, since the last may lie only a few instructions back. */
    private static final int KEPT = 2;

    private final Deque<Snapshot> kept = new ArrayDeque<>();
    private long spacing = SPACING_NANOS;

    /** How long to run to the next checkpoint, in nanoseconds. */
    long spacing() {
        return spacing;
    }

    /** Leaves a checkpoint where a session stands, if that can be done just now. */
    void leave(ReplaySession session, long costNanos) {
        long started = System.nanoTime();
        History.freeze(session, costNanos).ifPresent(kept::add);
        spacing = Math.max(SPACING_NANOS, COST_FACTOR * (System.nanoTime() - started));
        if (kept.size() > KEPT) {
            kept.removeFirst().drop();
        }
    }

    /** Runs, and leaves checkpoints on the way; why it stopped is never the time. */
    Outcome go(Run run, ReplaySession session, Goal until, long costNanos) {
        while (true) {
            Outcome outcome = run.go(until, spacing);
            if (outcome.end() != End.TIME) {
                return outcome;
            }
            leave(session, costNanos);
        }
    }

    /**
     * Puts what was left into the history, behind a checkpoint, where its order to others is known.
     *
     * @param bound a checkpoint that is known to come behind them; null for none
     * @return the last that is there now, or else that checkpoint
     */
    Snapshot keep(History history, Snapshot base, Snapshot bound) {
        Snapshot last = base;
        for (Snapshot snapshot : kept) {
            if (history.add(last, snapshot, bound)) {
                last = snapshot;
            } else {
                snapshot.drop();
            }
        }
        kept.clear();
        return last;
    }

    /** Forgets what was left, and how long it took to make. */
    void drop() {
        kept.forEach(Snapshot::drop);
        kept.clear();
        spacing = SPACING_NANOS;
    }
}
