package dev.eremite.replay.session;

import dev.eremite.replay.event.Landmark;
import dev.eremite.replay.guest.MemorySpans;
import dev.eremite.replay.probe.LandmarkSearch;
import dev.eremite.tracer.linux.Tracee;
import java.util.ArrayList;
import java.util.List;

/** A landmark, and what runs towards it have learnt: whether its pc is hot, and what tells it from other visits. */
public final class LandmarkPath {
    private final Landmark landmark;
    private final LandmarkSearch search;
    private final List<Landmark.Span> spans;
    private boolean hot;

    /** A way that nobody has gone yet. */
    public LandmarkPath(Landmark landmark) {
        this.landmark = landmark;
        search = new LandmarkSearch(landmark);
        spans = new ArrayList<>(landmark.spans());
    }

    /** The landmark. */
    public Landmark landmark() {
        return landmark;
    }

    LandmarkSearch search() {
        return search;
    }

    /** Whether memory is that of the landmark. What differed last is looked at first. */
    boolean spansMatch(Tracee tracee) {
        for (int i = 0; i < spans.size(); i++) {
            if (!MemorySpans.matches(tracee, spans.get(i))) {
                spans.addFirst(spans.remove(i));
                return false;
            }
        }
        return true;
    }

    boolean hot() {
        return hot;
    }

    void foundHot() {
        hot = true;
    }
}
