package dev.eremite.replay.session;

import dev.eremite.replay.event.Landmark;
import dev.eremite.replay.probe.LandmarkSearch;

/** A landmark, and what runs towards it have learnt: whether its pc is hot, and what tells it from other visits. */
public final class LandmarkPath {
    private final Landmark landmark;
    private final LandmarkSearch search;
    private boolean hot;

    /** A way that nobody has gone yet. */
    public LandmarkPath(Landmark landmark) {
        this.landmark = landmark;
        search = new LandmarkSearch(landmark);
    }

    /** The landmark. */
    public Landmark landmark() {
        return landmark;
    }

    LandmarkSearch search() {
        return search;
    }

    boolean hot() {
        return hot;
    }

    void foundHot() {
        hot = true;
    }
}
