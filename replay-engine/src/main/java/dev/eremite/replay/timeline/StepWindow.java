package dev.eremite.replay.timeline;

import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.session.ReplaySession.Arrival;
import java.util.ArrayList;
import java.util.List;

/**
 * A stretch of single steps inside one segment, kept so that going back in it again costs little: checkpoints at intervals
 * of steps, from which any step of it is reached.
 */
final class StepWindow {
    /** Steps between two checkpoints of a window. */
    static final int SPACING = 400;

    private record Mark(int step, Snapshot snapshot) {}

    private final long event;
    private final List<Mark> marks = new ArrayList<>();
    private int length;

    StepWindow(long event) {
        this.event = event;
    }

    /** The event to which the segment leads. */
    long event() {
        return event;
    }

    /** Notes that the state after so many steps is in the snapshot, which the window owns from now on. */
    void mark(int step, Snapshot snapshot) {
        marks.add(new Mark(step, snapshot));
    }

    /** How many steps it spans. */
    int length() {
        return length;
    }

    void length(int steps) {
        length = steps;
    }

    /** The steps before another at which there are checkpoints, the last one first. */
    List<Integer> marksBefore(int step) {
        return marks.reversed().stream()
                .map(Mark::step)
                .filter(mark -> mark < step)
                .toList();
    }

    /** A session that stands after so many steps. */
    ReplaySession at(int step, ReplaySession like) {
        Mark best = marks.getFirst();
        for (Mark mark : marks) {
            if (mark.step() <= step) {
                best = mark;
            }
        }
        ReplaySession session = best.snapshot().frozen().thaw(like);
        for (int i = best.step(); i < step; i++) {
            if (Run.step(session) != Arrival.TRAP) {
                throw new IllegalStateException("a step of the window before event " + event + " does not recur");
            }
        }
        return session;
    }

    /** Drops the oldest checkpoints, so that at most so many are left; steps before the oldest are no longer reached. */
    int shorten(int most) {
        while (marks.size() > most) {
            marks.removeFirst().snapshot().drop();
        }
        return marks.getFirst().step();
    }

    void close() {
        marks.forEach(mark -> mark.snapshot().drop());
        marks.clear();
    }
}
