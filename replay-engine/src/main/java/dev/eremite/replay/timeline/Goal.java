package dev.eremite.replay.timeline;

import dev.eremite.replay.session.LandmarkPath;
import dev.eremite.replay.session.ReplaySession;

/** Where a run through the recording is to end at the latest. */
sealed interface Goal {
    /** Whether the session stands there. */
    boolean reached(ReplaySession session);

    /** The end of history. */
    record End() implements Goal {
        @Override
        public boolean reached(ReplaySession session) {
            return false;
        }
    }

    /** Directly before an event, and before any code of the segment that leads to it. */
    record Boundary(long event) implements Goal {
        @Override
        public boolean reached(ReplaySession session) {
            return session.position() == event && !session.moved();
        }
    }

    /** Where an event happens: its task has run up to it. */
    record Arrival(long event) implements Goal {
        @Override
        public boolean reached(ReplaySession session) {
            return session.position() == event && session.arrived();
        }
    }

    /**
     * Inside the segment that leads to an event.
     *
     * @param point the place
     * @param beyond another one, at most {@link Places#FEW_STEPS} instructions behind, where a probe fits if none does at the
     *     place itself: running there takes a stop at each visit of its pc; null where that is not so, or there is none
     */
    record Within(long event, LandmarkPath point, LandmarkPath beyond) implements Goal {
        @Override
        public boolean reached(ReplaySession session) {
            // A run may have been interrupted before its first instruction: the point is the segment's beginning then.
            return session.position() == event
                    && !session.ranToEvent()
                    && point.isAt(session.nextTask().tracee());
        }
    }

    /** The point of the segment, the place itself or one little behind it, that is found fast; null where there is none. */
    default LandmarkPath fastPoint() {
        return this instanceof Within within ? within.beyond != null ? within.beyond : within.point : null;
    }

    /** Whether there is a point little behind it that is found faster. */
    default boolean slow() {
        return this instanceof Within within && within.beyond != null;
    }

    /** The event before which, or in whose segment, the goal lies; the largest number for the end. */
    default long event() {
        return switch (this) {
            case End end -> Long.MAX_VALUE;
            case Boundary boundary -> boundary.event;
            case Arrival arrival -> arrival.event;
            case Within within -> within.event;
        };
    }
}
