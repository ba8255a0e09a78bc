package dev.eremite.replay.session;

import dev.eremite.replay.event.Landmark;
import dev.eremite.replay.guest.LandmarkState;
import dev.eremite.replay.guest.MemorySpans;
import dev.eremite.replay.probe.LandmarkSearch;
import dev.eremite.replay.probe.ProbeCondition;
import dev.eremite.tracer.linux.Reg;
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

    /** Whether a stopped task is in the state that the landmark names. */
    public boolean isAt(Tracee tracee) {
        return tracee.register(Reg.RIP) == landmark.registers()[Reg.RIP] && matches(tracee, tracee.registersView());
    }

    /**
     * Whether a task's state is the landmark's.
     *
     * @param registers those that the guest sees, where the task has others because of a probe
     */
    boolean matches(Tracee tracee, long[] registers) {
        return search.matches(registers, memory(tracee)) && fingerprintMatches(tracee) && spansMatch(tracee);
    }

    /** A task's memory, as probes ask for it. */
    static ProbeCondition.Words memory(Tracee tracee) {
        return address -> LandmarkState.word(tracee, address);
    }

    private boolean fingerprintMatches(Tracee tracee) {
        return landmark.fingerprint() == 0
                || LandmarkState.fingerprint(tracee, landmark.words()) == landmark.fingerprint();
    }

    /** Whether memory is that of the landmark. What differed last is looked at first. */
    private boolean spansMatch(Tracee tracee) {
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
