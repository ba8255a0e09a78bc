package dev.eremite.replay.timeline;

import dev.eremite.replay.session.ReplaySession;
import java.util.Comparator;

/**
 * A place of the recording as far as it can be compared with others without running: points inside one segment are all the
 * same.
 *
 * @param event the event that is next there
 * @param phase 0 in front of the segment that leads to it, 1 inside, 2 at its end
 */
record Moment(long event, int phase) implements Comparable<Moment> {
    private static final Comparator<Moment> ORDER =
            Comparator.comparingLong(Moment::event).thenComparingInt(Moment::phase);

    /** Before everything. */
    static final Moment BEGINNING = new Moment(-1, 0);

    static Moment of(Goal goal) {
        int phase = switch (goal) {
            case Goal.Boundary ignored -> 0;
            case Goal.Within ignored -> 1;
            case Goal.Arrival ignored -> 2;
            case Goal.End ignored -> 0;
        };
        return new Moment(goal.event(), phase);
    }

    static Moment of(ReplaySession session) {
        int phase = session.ranToEvent() ? 2 : session.moved() ? 1 : 0;
        return new Moment(session.position(), phase);
    }

    /** The goal of that place, which is not inside a segment. */
    Goal goal() {
        return phase == 0 ? new Goal.Boundary(event) : new Goal.Arrival(event);
    }

    @Override
    public int compareTo(Moment other) {
        return ORDER.compare(this, other);
    }
}
