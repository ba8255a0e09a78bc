package dev.eremite.replay.timeline;

import dev.eremite.replay.event.Event;
import dev.eremite.replay.session.RecordingSource;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.timeline.Run.End;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Finds the place one instruction before another, which is always a run from a checkpoint before both. */
final class Predecessor {
    private final RecordingSource source;
    private final DebugScope scope;
    private final History history;
    private final ReplaySession like;
    private final EventStops events;
    private final BooleanSupplier interrupted;

    Predecessor(
            RecordingSource source,
            EventStops events,
            DebugScope scope,
            History history,
            ReplaySession like,
            BooleanSupplier interrupted) {
        this.source = source;
        this.events = events;
        this.scope = scope;
        this.history = history;
        this.like = like;
        this.interrupted = interrupted;
    }

    /**
     * The place one instruction before another.
     *
     * @param base the last checkpoint before the place
     * @param thread the thread whose instruction it is to be, or 0 for the one that ran last
     * @return empty when history begins there, or when interrupted
     */
    Optional<Found> of(Goal place, Snapshot base, int thread) {
        long start = history.get(0).event();
        Goal at = place;
        while (true) {
            if (!(at instanceof Goal.Boundary)) {
                Event event = source.event(at.event());
                if (thread == 0 || event.task() == thread) {
                    Optional<Found> found = before(at, base);
                    if (found.isPresent() || interrupted.getAsBoolean()) {
                        return found;
                    }
                }
            }
            long index = at.event() - 1;
            while (index >= start && !concerns(index, thread)) {
                index--;
            }
            if (index < start) {
                return Optional.empty();
            }
            Event event = source.event(index);
            if (!ReplaySession.needsRun(event)) {
                return standing(new Goal.Boundary(index));
            }
            boolean stateOfItsOwn = event instanceof Event.Instruction || event instanceof Event.Signal;
            if (stateOfItsOwn) {
                return standing(new Goal.Arrival(index));
            }
            at = new Goal.Arrival(index);
        }
    }

    /** Whether going back over an event shows in the thread: ends of calls show by the call itself. */
    private boolean concerns(long index, int thread) {
        Event event = source.event(index);
        boolean right = thread == 0 ? inScope(event, index) : event.task() == thread;
        boolean shows = !(event instanceof Event.SyscallExit)
                && !(event instanceof Event.TaskExit)
                && !(event instanceof Event.ClockTrap);
        return right && shows;
    }

    private boolean inScope(Event event, long index) {
        return events.lives()
                .ofTask(event.task(), index)
                .map(life -> scope.sees(life.process()))
                .orElse(false);
    }

    /** Whether nobody but the debugged process can write its memory. */
    boolean oneProcess() {
        return events.lives().single();
    }

    /** A session brought to a boundary or an arrival; empty when interrupted. */
    Optional<Found> standing(Goal goal) {
        Snapshot base = history.lastBefore(goal.event());
        ReplaySession session = base.frozen().thaw(like);
        if (new Run(session, scope, List.of(), interrupted).go(goal, -1).end() == End.GOAL) {
            return Optional.of(new Found(session, base, null, null, 0));
        }
        session.close();
        return Optional.empty();
    }

    /** One instruction before a point inside a segment or at its end; empty when the point is the segment's beginning. */
    private Optional<Found> before(Goal point, Snapshot last) {
        int latest = latest(point, last);
        while (true) {
            Snapshot base = segmentStart(point, latest);
            if (base == null) {
                return Optional.empty();
            }
            Optional<StepWindow> window = new StepLocator(scope, interrupted, like).locate(base, point);
            if (window.isEmpty()) {
                return Optional.empty();
            }
            int step = window.get().length() - 1;
            if (step >= 0) {
                return Optional.of(new Found(window.get().at(step, like), base, null, window.get(), step));
            }
            window.get().close();
            if (!base.inside()) {
                return Optional.empty();
            }
            // The checkpoint stands at the point itself: what comes before it is to be had from an earlier one.
            latest = history.indexOf(base) - 1;
        }
    }

    /**
     * The last checkpoint in the point's segment that is not behind it; made if there is none.
     *
     * @param last a checkpoint that is known not to be behind a point within a segment
     */
    Snapshot segmentStart(Goal point, Snapshot last) {
        return segmentStart(point, latest(point, last));
    }

    private int latest(Goal point, Snapshot last) {
        return point instanceof Goal.Within ? history.indexOf(last) : history.size() - 1;
    }

    /** The same, with the number of the last checkpoint that may be taken, unless it is the segment's beginning. */
    private Snapshot segmentStart(Goal point, int latest) {
        Snapshot best = null;
        for (int i = 0; i < history.size(); i++) {
            Snapshot candidate = history.get(i);
            if (candidate.event() == point.event() && (i <= latest || !candidate.inside())) {
                best = candidate;
            }
        }
        if (best != null) {
            return best;
        }
        Snapshot earlier = history.lastBefore(point.event());
        try (ReplaySession session = earlier.frozen().thaw(like)) {
            new Run(session, scope, List.of(), interrupted).go(new Goal.Boundary(point.event()), -1);
            Optional<Snapshot> made = History.freeze(session, earlier.costNanos() + 1);
            // What stands at the beginning of a segment has its place in the order.
            made.ifPresent(snapshot -> history.add(earlier, snapshot, null));
            return made.orElse(null);
        }
    }
}
