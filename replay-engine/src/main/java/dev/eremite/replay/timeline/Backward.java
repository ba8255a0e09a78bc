package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.Breakpoint;
import dev.eremite.replay.debug.DebugTarget.BreakpointKind;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.session.RecordingSource;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.timeline.Run.End;
import dev.eremite.replay.timeline.Run.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Searches backwards: runs forward from checkpoints before the present, and keeps what came last. */
final class Backward {
    private static final long SLICE_NANOS = 25_000_000;

    /**
     * Where a search ended.
     *
     * @param session a session that stands there
     * @param base the last checkpoint before it
     * @param hit the breakpoint that was hit, or null
     * @param window the steps around it, or null
     * @param step its place in the window
     */
    record Found(ReplaySession session, Snapshot base, Breakpoint hit, StepWindow window, int step) {}

    private final RecordingSource source;
    private final DebugScope scope;
    private final History history;
    private final ReplaySession like;
    private final BooleanSupplier interrupted;

    Backward(
            RecordingSource source,
            DebugScope scope,
            History history,
            ReplaySession like,
            BooleanSupplier interrupted) {
        this.source = source;
        this.scope = scope;
        this.history = history;
        this.like = like;
        this.interrupted = interrupted;
    }

    /**
     * The last hit of any breakpoint before a point.
     *
     * @param base the last checkpoint before the point
     * @return empty when there is none back to the beginning of history, or when interrupted
     */
    Optional<Found> lastHit(Goal point, Snapshot base, List<Breakpoint> breakpoints) {
        Goal until = point;
        for (int i = history.indexOf(base); i >= 0 && !interrupted.getAsBoolean(); i--) {
            Snapshot from = history.get(i);
            Found found = lastHitAfter(from, until, breakpoints);
            if (found != null) {
                return Optional.of(found);
            }
            until = goalAt(from);
        }
        return Optional.empty();
    }

    /** The goal that names a checkpoint's place. */
    Goal goalAt(Snapshot snapshot) {
        try (ReplaySession session = snapshot.frozen().thaw(like)) {
            return Places.of(session);
        }
    }

    private Found lastHitAfter(Snapshot from, Goal until, List<Breakpoint> breakpoints) {
        Snapshot near = from;
        int hits = 0;
        int hitsBeforeNear = 0;
        Outcome last = null;
        List<Snapshot> temporary = new ArrayList<>();
        Snapshot nearLast = from;
        int skipLast = 0;
        try (ReplaySession session = from.frozen().thaw(like)) {
            Run run = new Run(session, scope, breakpoints, interrupted);
            long sliceEnd = System.nanoTime() + SLICE_NANOS;
            while (true) {
                leave(run, session);
                Outcome outcome = run.go(until, false, Math.max(1, sliceEnd - System.nanoTime()));
                if (outcome.end() == End.HIT) {
                    last = outcome;
                    hits++;
                    nearLast = near;
                    skipLast = hits - 1 - hitsBeforeNear;
                } else if (outcome.end() == End.TIME) {
                    near = refresh(session, near, from, nearLast, temporary);
                    hitsBeforeNear = hits;
                    sliceEnd = System.nanoTime() + SLICE_NANOS;
                } else {
                    break;
                }
            }
            if (last == null || interrupted.getAsBoolean()) {
                return null;
            }
            return again(from, nearLast, skipLast, until, breakpoints, last);
        } finally {
            temporary.forEach(Snapshot::drop);
        }
    }

    private Snapshot refresh(
            ReplaySession session, Snapshot near, Snapshot from, Snapshot needed, List<Snapshot> temporary) {
        Optional<Snapshot> next = History.freeze(session, from.costNanos());
        if (next.isEmpty()) {
            return near;
        }
        temporary.removeIf(old -> {
            boolean drop = !old.is(needed);
            if (drop) {
                old.drop();
            }
            return drop;
        });
        temporary.add(next.get());
        return next.get();
    }

    /** Runs to the hit that a first run has found to be the last. */
    private Found again(
            Snapshot base, Snapshot near, int skip, Goal until, List<Breakpoint> breakpoints, Outcome expected) {
        ReplaySession session = near.frozen().thaw(like);
        Run run = new Run(session, scope, breakpoints, interrupted);
        for (int i = 0; i <= skip; i++) {
            leave(run, session);
            Outcome outcome = run.go(until, false, -1);
            if (outcome.end() != End.HIT) {
                session.close();
                return null;
            }
        }
        Breakpoint hit = expected.hit();
        if (hit.kind() == BreakpointKind.SOFTWARE || hit.kind() == BreakpointKind.HARDWARE) {
            return new Found(session, base, hit, null, 0);
        }
        // A watchpoint is reported in front of the instruction, or the call, that touches the memory.
        Goal after = Places.of(session);
        session.close();
        Optional<Found> before = previous(after, base, 0);
        return before.map(f -> new Found(f.session(), f.base(), hit, f.window(), f.step()))
                .orElse(null);
    }

    /** Goes over a breakpoint at the place where a run begins. */
    private static void leave(Run run, ReplaySession session) {
        if (!session.atEnd() && !session.arrived() && session.nextTask() != null) {
            run.leaveBreakpoint();
        }
    }

    /**
     * The place one instruction before another.
     *
     * @param base the last checkpoint before the place
     * @param thread the thread whose instruction it is to be, or 0 for the one that ran last
     * @return empty when history begins there, or when interrupted
     */
    Optional<Found> previous(Goal place, Snapshot base, int thread) {
        Goal at = place;
        while (true) {
            if (!(at instanceof Goal.Boundary)) {
                Event event = source.event(at.event());
                if (thread == 0 || event.task() == thread) {
                    Optional<Found> found = before(at);
                    if (found.isPresent() || interrupted.getAsBoolean()) {
                        return found;
                    }
                }
            }
            long index = at.event() - 1;
            while (index > 0 && !concerns(source.event(index), thread)) {
                index--;
            }
            if (index <= 0) {
                return Optional.empty();
            }
            Event event = source.event(index);
            if (!ReplaySession.needsRun(event)) {
                return Optional.of(standing(new Goal.Boundary(index)));
            }
            boolean stateOfItsOwn = event instanceof Event.Instruction || event instanceof Event.Signal;
            if (stateOfItsOwn) {
                return Optional.of(standing(new Goal.Arrival(index)));
            }
            at = new Goal.Arrival(index);
        }
    }

    /** Whether going back over an event shows in the thread: ends of calls show by the call itself. */
    private boolean concerns(Event event, int thread) {
        boolean right = thread == 0 ? inProcess(event.task()) : event.task() == thread;
        return right && !(event instanceof Event.SyscallExit) && !(event instanceof Event.TaskExit);
    }

    private boolean inProcess(int task) {
        return like.tasks().containsKey(task) ? scope.sees(like.tasks().get(task)) : task == scope.process();
    }

    /** A session brought to a boundary or an arrival. */
    private Found standing(Goal goal) {
        Snapshot base = history.lastBefore(goal.event());
        ReplaySession session = base.frozen().thaw(like);
        new Run(session, scope, List.of(), interrupted).go(goal, false, -1);
        return new Found(session, base, null, null, 0);
    }

    /** One instruction before a point inside a segment or at its end; empty when the point is the segment's beginning. */
    private Optional<Found> before(Goal point) {
        Snapshot base = segmentStart(point);
        if (base == null) {
            return Optional.empty();
        }
        Optional<StepWindow> window = new StepLocator(scope, interrupted, like).locate(base, point);
        if (window.isEmpty()) {
            return Optional.empty();
        }
        int step = window.get().length() - 1;
        if (step < 0) {
            window.get().close();
            return Optional.empty();
        }
        return Optional.of(new Found(window.get().at(step, like), base, null, window.get(), step));
    }

    /** The last checkpoint in the point's segment that is not behind it; made if there is none. */
    private Snapshot segmentStart(Goal point) {
        Snapshot best = null;
        for (int i = 0; i < history.size(); i++) {
            Snapshot candidate = history.get(i);
            if (candidate.event() == point.event() && (!candidate.inside() || isBefore(candidate, point))) {
                best = candidate;
            }
        }
        if (best != null) {
            return best;
        }
        Snapshot earlier = history.lastBefore(point.event());
        try (ReplaySession session = earlier.frozen().thaw(like)) {
            new Run(session, scope, List.of(), interrupted).go(new Goal.Boundary(point.event()), false, -1);
            Optional<Snapshot> made = History.freeze(session, earlier.costNanos() + 1);
            made.ifPresent(snapshot -> history.addAfter(earlier, snapshot));
            return made.orElse(null);
        }
    }

    /** Whether a checkpoint inside a segment lies before a point of the same segment. */
    private boolean isBefore(Snapshot candidate, Goal point) {
        if (point instanceof Goal.Arrival) {
            return true;
        }
        try (ReplaySession session = candidate.frozen().thaw(like)) {
            return new Run(session, scope, List.of(), interrupted)
                            .go(point, false, -1)
                            .end()
                    == End.GOAL;
        }
    }
}
