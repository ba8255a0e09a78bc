package dev.eremite.replay.timeline;

import dev.eremite.replay.session.ReplaySession;
import java.util.List;
import java.util.Optional;

/** Where among the stops of the present place a debugger stands: which have been told, and which are next either way. */
final class Telling {
    private final EventStops events;
    /** How many stops lie behind; −1: those of the event behind. */
    private int behind = -1;
    /** Whether it stands at one of them, the first that does not lie behind. */
    private boolean on;

    Telling(EventStops events) {
        this.events = events;
    }

    /** The place has been reached by running or stepping. */
    void anywhere() {
        behind = -1;
        on = false;
    }

    /** An event has just been applied, and nothing been told of it. */
    void behindEvent() {
        behind = 0;
        on = false;
    }

    /** It stands at a stop by number. */
    void at(int index) {
        behind = index;
        on = true;
    }

    private int start(ReplaySession session) {
        return behind < 0 ? events.afterEvent(session) : behind;
    }

    /** The next stop of the same place going forward; it is told from now on. */
    Optional<EventStop> ahead(ReplaySession session) {
        List<EventStop> stops = events.at(session);
        for (int i = start(session) + (on ? 1 : 0); i < stops.size(); i++) {
            if (stops.get(i).told(true)) {
                at(i);
                return Optional.of(stops.get(i));
            }
        }
        return Optional.empty();
    }

    /** The next stop of the same place going backwards; it is told from now on. */
    Optional<EventStop> back(ReplaySession session, boolean needed) {
        List<EventStop> stops = events.at(session);
        for (int i = Math.min(start(session), stops.size()) - 1; i >= 0; i--) {
            if (stops.get(i).told(false) && (!needed || stops.get(i).needed())) {
                at(i);
                return Optional.of(stops.get(i));
            }
        }
        return Optional.empty();
    }
}
