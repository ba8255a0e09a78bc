package dev.eremite.dap.session;

import dev.eremite.dap.mi.MiFrame;
import dev.eremite.dap.protocol.RequestFailure;
import java.util.HashMap;
import java.util.Map;

/** The frames that the client has been told of since the last stop. */
public final class Frames {
    /**
     * A frame of a thread.
     *
     * @param thread GDB's number of the thread
     */
    public record Place(int thread, MiFrame frame) {
        /** The options of MI commands that make them mean this frame. */
        public String options() {
            return " --thread " + thread + " --frame " + frame.level() + " ";
        }
    }

    private final Map<Integer, Place> places = new HashMap<>();
    private int last;

    /** Frames, forgotten at each stop of a session. */
    public Frames(Session session) {
        session.onStop(places::clear);
    }

    /** Gives a frame an identifier; identifiers are never used again. */
    public int add(Place place) {
        places.put(++last, place);
        return last;
    }

    /**
     * The frame with an identifier.
     *
     * @throws RequestFailure when it is of an earlier stop
     */
    public Place get(int id) {
        Place place = places.get(id);
        if (place == null) {
            throw new RequestFailure("there is no frame " + id + " at this stop");
        }
        return place;
    }
}
