package dev.eremite.replay.timeline;

import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.timeline.Run.End;
import dev.eremite.replay.timeline.Run.Outcome;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;

/** The last checkpoint before the present place, and those that ways forward leave. */
final class Checkpoints {
    private static final long SPACING_NANOS = 60_000_000;

    private final History history;
    private Snapshot base;

    /** How long the way from the beginning took, and the one from the last checkpoint, as far as that was gone forward. */
    private long costNanos;

    private long sinceBase;

    /** Begins with the first of a history. */
    Checkpoints(History history, Snapshot first) {
        this.history = history;
        base = first;
        history.add(null, first, null);
    }

    /** The last checkpoint before the present place that still exists. */
    Snapshot before(ReplaySession present) {
        return history.indexOf(base) >= 0 ? base : history.lastBefore(present.position());
    }

    /** The present place has been reached by going back, or anew, from a checkpoint. */
    void arrived(Snapshot from) {
        base = from;
        history.thin(base);
        sinceBase = 0;
    }

    /** Takes over a checkpoint that lies between the last one and the present place, if its order to others is known. */
    void add(Snapshot added, ReplaySession present) {
        base = before(present);
        if (history.add(base, added, null)) {
            base = added;
        } else {
            added.drop();
        }
    }

    /**
     * Runs the present session forward, and leaves checkpoints on the way.
     *
     * @param slices how long to run at a time, given how far apart checkpoints are to be, in nanoseconds
     * @param settled what becomes of the outcome of each slice: unless it is the time, the run ends with that
     */
    Outcome advance(
            ReplaySession present, Run run, Goal goal, LongUnaryOperator slices, UnaryOperator<Outcome> settled) {
        Trail trail = new Trail();
        while (true) {
            if (sinceBase >= SPACING_NANOS) {
                trail.drop();
                keep(present);
                sinceBase = 0;
            }
            long started = System.nanoTime();
            Outcome outcome = settled.apply(run.go(goal, slices.applyAsLong(trail.spacing())));
            long took = System.nanoTime() - started;
            costNanos += took;
            sinceBase += took;
            if (outcome.end() != End.TIME) {
                base = trail.keep(history, base, null);
                history.thin(base);
                return outcome;
            }
            if (sinceBase < SPACING_NANOS) {
                if (rebase(present)) {
                    // What the trail has left lies before the base now.
                    trail.drop();
                }
                trail.leave(present, costNanos);
            }
        }
    }

    /**
     * Makes the last checkpoint that is known to lie before the present place the base. Others that may have been passed are
     * dropped: the run that passes them leaves new ones.
     *
     * @return whether the base is another one now
     */
    private boolean rebase(ReplaySession present) {
        Snapshot passed = history.lastBefore(present.position());
        boolean other = history.indexOf(passed) > history.indexOf(base);
        base = other ? passed : base;
        history.dropUncertain(base, present);
        return other;
    }

    private void keep(ReplaySession present) {
        rebase(present);
        Optional<Snapshot> made = History.freeze(present, costNanos);
        if (made.isPresent() && history.add(base, made.get(), null)) {
            base = made.get();
            history.thin(base);
        } else {
            made.ifPresent(Snapshot::drop);
        }
    }
}
