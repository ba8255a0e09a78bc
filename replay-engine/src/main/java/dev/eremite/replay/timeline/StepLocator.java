package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.Breakpoint;
import dev.eremite.replay.debug.DebugTarget.BreakpointKind;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.session.ReplaySession.Arrival;
import dev.eremite.replay.timeline.Run.End;
import dev.eremite.tracer.linux.Reg;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Finds the single steps that lead to a point inside a segment. It runs towards the point in shorter and shorter slices of
 * time, each begun from the last checkpoint before the point, then from loop head to loop head, and steps the rest.
 */
final class StepLocator {
    private static final long FIRST_SLICE_NANOS = 16_000_000;
    private static final long LAST_SLICE_NANOS = 150_000;
    private static final int SAMPLE = 1500;
    private static final int VISIT_LIMIT = 20_000;
    private static final int KEPT_MARKS = 8;

    private final DebugScope scope;
    private final BooleanSupplier interrupted;
    private final ReplaySession like;

    StepLocator(DebugScope scope, BooleanSupplier interrupted, ReplaySession like) {
        this.scope = scope;
        this.interrupted = interrupted;
        this.like = like;
    }

    /**
     * Finds the steps before a point.
     *
     * @param base a checkpoint in the same segment and not behind the point, or at the segment's beginning
     * @param point the point, an arrival or a place within the segment
     * @return the window that ends at the point; empty when interrupted
     */
    Optional<StepWindow> locate(Snapshot base, Goal point) {
        Snapshot near = narrow(base, point);
        if (near == null) {
            return Optional.empty();
        }
        try {
            return step(near, point);
        } finally {
            if (!near.is(base)) {
                near.drop();
            }
        }
    }

    /** A checkpoint a short time before the point: the base, or a new one; null when interrupted. */
    private Snapshot narrow(Snapshot base, Goal point) {
        Snapshot from = base;
        for (long slice = FIRST_SLICE_NANOS; slice >= LAST_SLICE_NANOS; slice /= 8) {
            Snapshot closer = lastSlice(from, point, slice);
            if (interrupted.getAsBoolean()) {
                return null;
            }
            if (closer != null) {
                if (!from.is(base)) {
                    from.drop();
                }
                from = closer;
            }
        }
        return from;
    }

    /** Runs to the point with a checkpoint after each slice; the last of them, or null when the first slice sufficed. */
    private Snapshot lastSlice(Snapshot from, Goal point, long slice) {
        Snapshot last = null;
        try (ReplaySession session = from.frozen().thaw(like)) {
            Run run = new Run(session, scope, List.of(), interrupted);
            while (run.go(point, false, slice).end() == End.TIME) {
                Optional<Snapshot> next = History.freeze(session, from.costNanos());
                if (next.isPresent()) {
                    if (last != null) {
                        last.drop();
                    }
                    last = next.get();
                }
            }
        }
        return last;
    }

    private Optional<StepWindow> step(Snapshot near, Goal point) {
        StepWindow window = new StepWindow(point.event());
        ReplaySession session = near.frozen().thaw(like);
        int steps = 0;
        int sampled = 0;
        Map<Long, Integer> visits = new HashMap<>();
        try {
            while (!point.reached(session)) {
                if (interrupted.getAsBoolean()) {
                    window.close();
                    return Optional.empty();
                }
                if (steps % StepWindow.SPACING == 0) {
                    window.mark(steps, History.freeze(session, near.costNanos()).orElseThrow());
                    window.shorten(KEPT_MARKS);
                }
                if (sampled == SAMPLE) {
                    ReplaySession ahead = leap(session, hottest(visits), point);
                    sampled = 0;
                    visits.clear();
                    if (ahead != null) {
                        session.close();
                        session = ahead;
                        window.close();
                        window = new StepWindow(point.event());
                        steps = 0;
                        continue;
                    }
                }
                long pc = session.nextTask().tracee().register(Reg.RIP);
                visits.merge(pc, 1, Integer::sum);
                Arrival arrival = Run.step(session);
                sampled++;
                boolean executed =
                        arrival != Arrival.EVENT || session.nextTask().tracee().register(Reg.RIP) != pc;
                // A fault is an arrival at an event without executing anything.
                steps += executed ? 1 : 0;
                if (arrival == Arrival.EVENT) {
                    break;
                }
            }
        } finally {
            session.close();
        }
        window.length(steps);
        return Optional.of(window);
    }

    private static long hottest(Map<Long, Integer> visits) {
        long best = 0;
        int most = 1;
        for (Map.Entry<Long, Integer> entry : visits.entrySet()) {
            if (entry.getValue() > most) {
                most = entry.getValue();
                best = entry.getKey();
            }
        }
        return best;
    }

    /**
     * From a session in the middle of a loop: a session at the last visit but one of the loop's head before the point; null
     * when the point comes sooner.
     */
    private ReplaySession leap(ReplaySession session, long head, Goal point) {
        if (head == 0) {
            return null;
        }
        Optional<Snapshot> from = History.freeze(session, 0);
        if (from.isEmpty()) {
            return null;
        }
        try {
            int visits;
            try (ReplaySession counting = from.get().frozen().thaw(like)) {
                visits = visit(counting, head, point, VISIT_LIMIT);
            }
            if (visits < 3) {
                return null;
            }
            ReplaySession ahead = from.get().frozen().thaw(like);
            visit(ahead, head, point, visits - 1);
            return ahead;
        } finally {
            from.get().drop();
        }
    }

    /** Runs until an address has been visited so often, or to the point; returns the visits. */
    private int visit(ReplaySession session, long head, Goal point, int most) {
        Breakpoint breakpoint = new Breakpoint(BreakpointKind.SOFTWARE, scope.process(), head, 1, new ArrayList<>());
        Run run = new Run(session, scope, List.of(breakpoint), interrupted);
        int visits = 0;
        while (visits < most) {
            if (session.nextTask().tracee().register(Reg.RIP) == head) {
                run.stepOff();
            }
            if (run.go(point, false, -1).end() != End.HIT) {
                break;
            }
            visits++;
        }
        return visits;
    }
}
