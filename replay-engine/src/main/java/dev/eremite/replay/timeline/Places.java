package dev.eremite.replay.timeline;

import dev.eremite.replay.session.ReplaySession;

/** Names the place where a session stands, so that another one can be brought there. */
final class Places {
    private Places() {}

    /** The goal at which a session like this one would stand as this one does. */
    static Goal of(ReplaySession session) {
        if (session.atEnd() || !session.moved() && !session.ranToEvent()) {
            return new Goal.Boundary(session.position());
        }
        if (session.ranToEvent()) {
            return new Goal.Arrival(session.position());
        }
        return new Goal.Within(session.position(), Inside.of(session, new long[0]));
    }
}
