package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.Breakpoint;
import dev.eremite.replay.debug.DebugTarget.BreakpointKind;
import dev.eremite.replay.session.FilteredRun;
import dev.eremite.replay.session.LandmarkPath;
import dev.eremite.replay.session.RepeatedString;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.session.ReplayTask;
import dev.eremite.replay.session.VisitCount;
import dev.eremite.replay.timeline.Run.End;
import dev.eremite.replay.timeline.Run.Outcome;
import dev.eremite.tracer.linux.Reg;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/** Searches backwards: runs forward from checkpoints before the present, and keeps what came last. */
final class Backward {
    private static final long FIRST_SLICE_NANOS = 16_000_000;
    private static final long LAST_SLICE_NANOS = 8_000;
    private static final int FEW_HITS = 100;
    private static final int MOST_CUTS = 12;

    private final DebugScope scope;
    private final History history;
    private final ReplaySession like;
    private final Predecessor predecessor;
    private final BooleanSupplier interrupted;
    private Goal present;
    /** The checkpoint in front of which the search looks at the moment; null for the present place. */
    private Snapshot bound;

    Backward(
            Predecessor predecessor,
            DebugScope scope,
            History history,
            ReplaySession like,
            BooleanSupplier interrupted) {
        this.predecessor = predecessor;
        this.scope = scope;
        this.history = history;
        this.like = like;
        this.interrupted = interrupted;
    }

    /** What a run from a checkpoint met. */
    private record Trial(int hits, Outcome last, boolean tooMany, Breakpoint crowded) {
        Trial(int hits, Outcome last, boolean tooMany) {
            this(hits, last, tooMany, null);
        }
    }

    /**
     * The last hit of any breakpoint before a point.
     *
     * @param base the last checkpoint before the point
     * @param limit a place behind which the hit must be
     * @return empty when there is none back to that place or the beginning of history, or when interrupted
     */
    Optional<Found> lastHit(Goal point, Snapshot base, List<Breakpoint> breakpoints, Moment limit) {
        if (breakpoints.isEmpty()) {
            return Optional.empty();
        }
        present = point;
        Snapshot behind = null;
        Goal until = point;
        int stride = 1;
        int i = history.indexOf(point.slow() ? shortlyBeforeSlow(point, base) : base);
        while (i >= 0 && !interrupted.getAsBoolean()) {
            until = behind == null ? point : behind.place(like, until);
            bound = behind;
            Snapshot from = history.get(earlier(i, stride, limit, breakpoints));
            // The further back, the more at a time: what costs is the end of a stretch, which has to be recognised.
            Trial many = from.is(history.get(i)) ? null : attempt(from, until, breakpoints, FEW_HITS, false);
            stride *= 2;
            Found found = null;
            if (many == null) {
                found = search(from, from, until, breakpoints, FIRST_SLICE_NANOS);
            } else if (many.tooMany() || many.crowded() != null) {
                // Where it is hit that often, the stretches are gone through one by one.
                stride = 1;
                from = history.get(earlier(i, stride, limit, breakpoints));
                found = many.tooMany()
                        ? byLastVisit(
                                        from,
                                        from,
                                        until,
                                        breakpoints,
                                        many.last().hit())
                                .orElse(null)
                        : null;
                found = found != null ? found : search(from, from, until, breakpoints, FIRST_SLICE_NANOS);
            } else if (many.hits() > 0 && !interrupted.getAsBoolean()) {
                // Whether those in between come before the hit or behind it is not known.
                history.removeBetween(from, behind == null ? i + 1 : history.indexOf(behind));
                found = again(from, from, until, breakpoints, many);
            }
            if (found != null) {
                Moment moment = found.behind() != null ? found.behind() : Moment.of(found.session());
                if (moment.compareTo(limit) > 0) {
                    return notBefore(limit, found);
                }
                found.close();
            }
            if (found != null || isBefore(from, limit)) {
                return Optional.empty();
            }
            behind = from;
            i = history.indexOf(from) - 1;
        }
        return Optional.empty();
    }

    /** The checkpoint so many before another, or a later one from which the limit is reached; one to begin a search at. */
    private int earlier(int index, int stride, Moment limit, List<Breakpoint> breakpoints) {
        int first = index;
        while (first > 0 && index - first + 1 < stride && !isBefore(history.get(first), limit)) {
            first--;
        }
        while (first > 0 && !knowsWatched(history.get(first), breakpoints)) {
            first--;
        }
        return first;
    }

    /** Whether a checkpoint is certainly not behind a moment, which is not inside a segment. */
    private static boolean isBefore(Snapshot snapshot, Moment moment) {
        return snapshot.event() < moment.event() || snapshot.event() == moment.event() && !snapshot.inside();
    }

    /**
     * Whether what stands in watched memory at a checkpoint is what the watching process has seen there: it must be running
     * just then, since what others write is told when it goes on.
     */
    private boolean knowsWatched(Snapshot snapshot, List<Breakpoint> breakpoints) {
        return breakpoints.stream()
                .filter(point -> point.kind() != BreakpointKind.SOFTWARE && point.kind() != BreakpointKind.HARDWARE)
                .allMatch(watch ->
                        snapshot.inside() && snapshot.process() == watch.process() || predecessor.oneProcess());
    }

    /**
     * The place of a hit, or the limit if that is nearer: what another process wrote is told in front of what the debugged one
     * did last, which may be something that is told itself.
     */
    private Optional<Found> notBefore(Moment limit, Found found) {
        if (Moment.of(found.session()).compareTo(limit) >= 0) {
            return Optional.of(found);
        }
        found.close();
        return predecessor
                .standing(limit.goal())
                .map(there -> new Found(there.session(), there.base(), found.hit(), null, 0));
    }

    /**
     * The last hit between a checkpoint and a goal, or null. Where there are many, the way is cut into slices of time, and the
     * last slice that has any is searched in the same manner.
     *
     * @param base the checkpoint of the history that stays
     */
    private Found search(Snapshot base, Snapshot from, Goal until, List<Breakpoint> breakpoints, long slice) {
        Trial trial = attempt(from, until, breakpoints, slice < LAST_SLICE_NANOS ? Integer.MAX_VALUE : FEW_HITS, false);
        if (trial.crowded() != null && !interrupted.getAsBoolean()) {
            Optional<Snapshot> clear = clearBefore(base, from, until, trial.crowded());
            if (clear.isPresent()) {
                return inTwoParts(base, from, clear.get(), until, breakpoints, slice, Integer.MAX_VALUE);
            }
            trial = attempt(from, until, breakpoints, FEW_HITS);
        }
        if (trial.hits() == 0 || interrupted.getAsBoolean()) {
            return null;
        }
        if (!trial.tooMany()) {
            return again(base, from, until, breakpoints, trial);
        }
        if (from.event() != until.event() && !(until instanceof Goal.Boundary)) {
            Optional<Snapshot> start = startOfSegment(from, until);
            if (start.isPresent()) {
                return inTwoParts(base, from, start.get(), until, breakpoints, slice, FEW_HITS);
            }
        }
        Optional<Found> counted =
                byLastVisit(base, from, until, breakpoints, trial.last().hit());
        if (counted.isPresent()) {
            return counted.get();
        }
        Optional<Snapshot> near = slice == FIRST_SLICE_NANOS ? shortlyBefore(from, until) : Optional.empty();
        if (near.isPresent()) {
            // What is hit that often mostly is hit shortly before, too.
            boolean kept = false;
            try {
                Trial last = attempt(near.get(), until, breakpoints, Integer.MAX_VALUE);
                if (last.hits() > 0 && !interrupted.getAsBoolean()) {
                    kept = history.add(base, near.get(), bound);
                    return again(kept ? near.get() : base, near.get(), until, breakpoints, last);
                }
            } finally {
                if (!kept) {
                    near.get().drop();
                }
            }
        }
        counted = byRounds(base, from, until, breakpoints);
        if (counted.isPresent()) {
            return counted.get();
        }
        List<Snapshot> cuts = cut(from, until, slice);
        try {
            Goal end = until;
            for (int i = cuts.size() - 1; i >= 0; i--) {
                // Nothing is hit behind the slice, so that its end need not be recognised.
                Trial part = attempt(cuts.get(i), until, breakpoints, FEW_HITS);
                if (interrupted.getAsBoolean()) {
                    return null;
                }
                if (part.hits() > 0) {
                    return part.tooMany()
                            ? search(base, cuts.get(i), end, breakpoints, slice / 10)
                            : again(base, cuts.get(i), until, breakpoints, part);
                }
                end = cuts.get(i).place(like, end);
            }
            return search(base, from, end, breakpoints, cuts.isEmpty() ? slice / 10 : slice);
        } finally {
            cuts.forEach(Snapshot::drop);
        }
    }

    /** A goal in the segment of a checkpoint, or at its end, that is as good as another; null if that is in a later one. */
    private static Goal inSegment(Snapshot from, Goal until) {
        boolean arrival = until instanceof Goal.Boundary && until.event() == from.event() + 1;
        Goal end = arrival ? new Goal.Arrival(from.event()) : until;
        return end.event() == from.event() && !(end instanceof Goal.Boundary) ? end : null;
    }

    /** A checkpoint of the history before a point to which each visit of its pc costs a stop; so near that they are few. */
    private Snapshot shortlyBeforeSlow(Goal point, Snapshot base) {
        Snapshot start = predecessor.segmentStart(point, base);
        Optional<Snapshot> near = start == null ? Optional.empty() : shortlyBefore(start, point);
        if (near.isEmpty()) {
            return base;
        }
        history.dropUncertain(start, like);
        history.add(start, near.get(), null);
        return near.get();
    }

    /** A checkpoint some hundred or thousand instructions before a goal, in its segment; empty where there is none. */
    private Optional<Snapshot> shortlyBefore(Snapshot from, Goal until) {
        Goal end = inSegment(from, until);
        return end == null
                ? Optional.empty()
                : new StepLocator(scope, interrupted, like).locate(from, end).map(StepWindow::release);
    }

    /** The last hit in one segment where a breakpoint is hot: its visits are counted by a probe in the guest. */
    private Optional<Found> byLastVisit(
            Snapshot base, Snapshot from, Goal until, List<Breakpoint> breakpoints, Breakpoint hot) {
        Goal end = inSegment(from, until);
        Optional<Snapshot> near = end == null ? Optional.empty() : lastVisit(from, end, hot);
        if (near.isEmpty()) {
            return Optional.empty();
        }
        try {
            Trial rest = attempt(near.get(), until, breakpoints, FEW_HITS);
            if (rest.tooMany() || interrupted.getAsBoolean()) {
                return Optional.empty();
            }
            return Optional.ofNullable(
                    rest.hits() == 0
                            ? new Found(near.get().frozen().thaw(like), base, hot, null, 0)
                            : again(base, near.get(), until, breakpoints, rest));
        } finally {
            near.get().drop();
        }
    }

    /** The same where the goal is at the very place of the breakpoint: the visits of another place of the loop are counted. */
    private Optional<Found> byRounds(Snapshot base, Snapshot from, Goal until, List<Breakpoint> breakpoints) {
        Goal end = inSegment(from, until);
        Optional<Snapshot> near =
                end == null ? Optional.empty() : new StepLocator(scope, interrupted, like).roundsBefore(from, end);
        if (near.isEmpty()) {
            return Optional.empty();
        }
        try {
            Trial rest = attempt(near.get(), until, breakpoints, FEW_HITS);
            return rest.hits() == 0 || rest.tooMany()
                    ? Optional.empty()
                    : Optional.ofNullable(again(base, near.get(), until, breakpoints, rest));
        } finally {
            near.get().drop();
        }
    }

    /** A checkpoint at the last visit of a breakpoint in code that always stops; empty where visits cannot be counted. */
    private Optional<Snapshot> lastVisit(Snapshot from, Goal end, Breakpoint hot) {
        boolean code = hot.kind() == BreakpointKind.SOFTWARE || hot.kind() == BreakpointKind.HARDWARE;
        if (!code || !hot.conditions().isEmpty()) {
            return Optional.empty();
        }
        LandmarkPath point = end instanceof Goal.Within within ? within.point() : null;
        OptionalLong visits;
        try (ReplaySession session = from.frozen().thaw(like)) {
            if (session.nextTask().process().pid() != hot.process()) {
                return Optional.empty();
            }
            visits = VisitCount.count(session, hot.address(), point);
        }
        if (visits.isEmpty() || visits.getAsLong() == 0) {
            return Optional.empty();
        }
        try (ReplaySession session = from.frozen().thaw(like)) {
            return VisitCount.runTo(session, hot.address(), visits.getAsLong())
                    ? History.freeze(session, from.costNanos())
                    : Optional.empty();
        }
    }

    /**
     * A checkpoint shortly before a goal, and some way from a breakpoint that is too near the goal for its visits to be
     * filtered; empty where there is none, or when interrupted.
     */
    private Optional<Snapshot> clearBefore(Snapshot base, Snapshot from, Goal until, Breakpoint crowded) {
        Snapshot start = from.event() == until.event() ? from : predecessor.segmentStart(until, base);
        if (start == null) {
            return Optional.empty();
        }
        Optional<StepWindow> window = new StepLocator(scope, interrupted, like).locate(start, until);
        if (window.isEmpty()) {
            return Optional.empty();
        }
        try (ReplaySession session = window.get().at(0, like)) {
            for (int i = 0; i < window.get().length(); i++) {
                long pc = session.nextTask().tracee().register(Reg.RIP);
                if (FilteredRun.apart(session.nextTask().tracee(), pc, crowded.address())) {
                    return History.freeze(session, from.costNanos());
                }
                Run.step(session);
            }
            return Optional.empty();
        } finally {
            window.get().close();
        }
    }

    /** A checkpoint where the goal's segment begins, since visits can be counted only within one; empty when interrupted. */
    private Optional<Snapshot> startOfSegment(Snapshot from, Goal until) {
        try (ReplaySession session = from.frozen().thaw(like)) {
            Run run = new Run(session, scope, List.of(), interrupted);
            return run.go(new Goal.Boundary(until.event()), -1).end() == End.GOAL
                    ? History.freeze(session, from.costNanos())
                    : Optional.empty();
        }
    }

    /**
     * The last hit behind a checkpoint on the way, or else before it.
     *
     * @param most how many hits behind it are gone through one by one
     */
    private Found inTwoParts(
            Snapshot base,
            Snapshot from,
            Snapshot middle,
            Goal until,
            List<Breakpoint> breakpoints,
            long slice,
            int most) {
        try {
            Trial last = attempt(middle, until, breakpoints, most);
            if (last.hits() > 0 && !interrupted.getAsBoolean()) {
                return last.tooMany()
                        ? search(base, middle, until, breakpoints, slice)
                        : again(base, middle, until, breakpoints, last);
            }
            return interrupted.getAsBoolean()
                    ? null
                    : search(base, from, middle.place(like, until), breakpoints, slice);
        } finally {
            middle.drop();
        }
    }

    @SuppressWarnings("ReferenceEquality") // Another goal may be at the same place, but was chosen by time.
    private Run newRun(ReplaySession session, Goal until, List<Breakpoint> breakpoints) {
        return new Run(session, scope, breakpoints, interrupted).tellingAtGoal(until == present);
    }

    /** What comes up to a goal, so many hits at most, however near the goal a condition is evaluated. */
    private Trial attempt(Snapshot from, Goal until, List<Breakpoint> breakpoints, int most) {
        return attempt(from, until, breakpoints, most, true);
    }

    /** The same; if not patient, it ends early where the trial is {@link Trial#crowded}. */
    private Trial attempt(Snapshot from, Goal until, List<Breakpoint> breakpoints, int most, boolean patient) {
        try (ReplaySession session = from.frozen().thaw(like)) {
            Run run = newRun(session, until, breakpoints);
            Outcome last = null;
            for (int hits = 0; ; hits++) {
                // The checkpoint itself may stand at a breakpoint, which counts like any other.
                Outcome outcome = hits == 0 ? null : run.leaveBreakpoint();
                outcome = outcome != null ? outcome : run.go(until, -1);
                while (patient && outcome.end() == End.CROWDED) {
                    outcome = run.go(until, -1);
                }
                if (outcome.end() != End.HIT) {
                    return new Trial(hits, last, false, outcome.end() == End.CROWDED ? outcome.hit() : null);
                }
                last = outcome;
                if (hits == most) {
                    return new Trial(hits, last, true);
                }
            }
        }
    }

    /** Checkpoints at intervals of time between a checkpoint and a goal; the last ones, where there are many. */
    private List<Snapshot> cut(Snapshot from, Goal until, long slice) {
        List<Snapshot> cuts = new ArrayList<>();
        try (ReplaySession session = from.frozen().thaw(like)) {
            Run run = new Run(session, scope, List.of(), interrupted);
            while (run.go(until, slice).end() == End.TIME) {
                History.freeze(session, from.costNanos()).ifPresent(cuts::add);
                if (cuts.size() > MOST_CUTS) {
                    cuts.removeFirst().drop();
                }
            }
        }
        return cuts;
    }

    /** Runs to the hit that a trial has found to be the last. */
    private Found again(Snapshot known, Snapshot from, Goal until, List<Breakpoint> breakpoints, Trial trial) {
        ReplaySession session = from.frozen().thaw(like);
        Run run = newRun(session, until, breakpoints);
        Trail trail = new Trail();
        for (int i = 0; i < trial.hits(); i++) {
            Outcome outcome = i == 0 ? null : run.leaveBreakpoint();
            outcome = outcome != null ? outcome : trail.go(run, session, until, from.costNanos());
            while (outcome.end() == End.CROWDED) {
                outcome = trail.go(run, session, until, from.costNanos());
            }
            if (outcome.end() != End.HIT) {
                trail.drop();
                session.close();
                if (interrupted.getAsBoolean()) {
                    return null;
                }
                // To look further back would lead past it.
                throw new IllegalStateException("hit " + (i + 1) + " of " + trial.hits() + " before event "
                        + until.event() + " does not recur: " + outcome.end());
            }
        }
        Snapshot base = trail.keep(history, known, bound);
        Breakpoint hit = trial.last().hit();
        if (hit.kind() == BreakpointKind.SOFTWARE || hit.kind() == BreakpointKind.HARDWARE) {
            return new Found(session, base, hit, null, 0);
        }
        // A watchpoint is reported in front of the instruction, or the call, that touches the memory.
        Goal after = Places.of(session);
        byte[] value = watched(hit, session);
        session.close();
        Optional<Found> before = predecessor.of(after, base, 0);
        if (hit.kind() == BreakpointKind.WRITE && before.isPresent()) {
            ReplaySession there = before.get().session();
            if (RepeatedString.isNext(there) && Arrays.equals(value, watched(hit, there))) {
                // It was the instruction before the string instruction (RepeatedString.mayHaveTouched).
                Goal string = Places.of(there);
                before.get().close();
                before = predecessor.of(string, base, 0);
            }
        }
        return before.map(f -> new Found(f.session(), f.base(), hit, f.window(), f.step(), Moment.of(after)))
                .orElse(null);
    }

    private byte[] watched(Breakpoint watch, ReplaySession session) {
        ReplayTask any = scope.anyTask(session, watch.process());
        return any == null ? new byte[0] : any.tracee().memory().read(watch.address(), (int) watch.length());
    }
}
