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

/** A landmark, and what runs towards it have learnt: how often its pc is visited, and what tells it from other visits. */
public final class LandmarkPath {
    private final Landmark landmark;
    private final LandmarkSearch search;
    private final List<Landmark.Span> spans;
    private int visits;

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

    /** The memory of a task that is stopped, as probes ask for it. */
    static ProbeCondition.Words memory(Tracee tracee) {
        return new StoppedMemory(tracee);
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

    /** How often the landmark's pc was visited on the way; each run adds to it. */
    int visits() {
        return visits;
    }

    void visited(int times) {
        visits += times;
    }
}
