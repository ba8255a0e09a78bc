package dev.eremite.replay.timeline;

import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.session.ReplaySession.Arrival;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A stretch of single steps inside one segment, kept so that going back in it again costs little: checkpoints at intervals
 * of steps, from which any step of it is reached.
 */
final class StepWindow {
    /** Steps between two checkpoints of a window. */
    static final int SPACING = 400;

    /** Nearer than so many steps, a checkpoint costs as much as it saves. */
    private static final int FINEST = 12;

    /** How much longer the way from one fine checkpoint to the next is than what is left of the way. */
    private static final int FINENESS = 3;

    /**
     * A checkpoint.
     *
     * @param fine whether it was left on the way to a step
     */
    private record Mark(int step, Snapshot snapshot, boolean fine) {}

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
        marks.add(new Mark(step, snapshot, false));
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

    /**
     * A session that stands after so many steps. On the way to it checkpoints are left, closer and closer to each other, since
     * who goes back mostly goes further back: it costs a few steps each time, not {@link #SPACING}.
     */
    ReplaySession at(int step, ReplaySession like) {
        while (marks.getLast().step() > step && marks.getLast().fine()) {
            marks.removeLast().snapshot().drop();
        }
        Mark best = marks.getFirst();
        for (Mark mark : marks) {
            if (mark.step() <= step) {
                best = mark;
            }
        }
        int behind = marks.indexOf(best) + 1;
        ReplaySession session = best.snapshot().frozen().thaw(like);
        int last = best.step();
        for (int i = best.step(); i < step; i++) {
            if (Run.step(session) != Arrival.TRAP) {
                throw new IllegalStateException("a step of the window before event " + event + " does not recur");
            }
            int left = step - i - 1;
            if (left >= FINEST && i + 1 - last >= FINENESS * left) {
                Optional<Snapshot> made =
                        History.freeze(session, best.snapshot().costNanos());
                if (made.isPresent()) {
                    marks.add(behind++, new Mark(i + 1, made.get(), true));
                    last = i + 1;
                }
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

    /** Ends the window, and hands over the checkpoint that it begins with. */
    Snapshot release() {
        Snapshot first = marks.removeFirst().snapshot();
        close();
        return first;
    }

    void close() {
        marks.forEach(mark -> mark.snapshot().drop());
        marks.clear();
    }
}
