package dev.eremite.replay.timeline;

import dev.eremite.replay.session.LandmarkPath;
import dev.eremite.replay.session.LandmarkRun;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.session.ReplaySession.Arrival;
import dev.eremite.replay.session.VisitCount;
import dev.eremite.replay.timeline.Run.End;
import dev.eremite.tracer.linux.Reg;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/**
 * Finds the single steps that lead to a point inside a segment. It runs towards the point in shorter and shorter slices of
 * time, each begun from the last checkpoint before the point, then from loop head to loop head, and steps the rest.
 */
final class StepLocator {
    private static final long FIRST_SLICE_NANOS = 8_000_000;
    private static final long LAST_SLICE_NANOS = 80_000;
    private static final int SLICES = 12;
    private static final int FIRST_SAMPLE = 300;
    private static final int LAST_SAMPLE = 1200;
    private static final int HEADS = 10;
    private static final int FEW_VISITS = 8;
    private static final int ROUNDS = 3;
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
        for (long slice = FIRST_SLICE_NANOS; slice >= LAST_SLICE_NANOS; slice /= 10) {
            Snapshot closer = slice > LAST_SLICE_NANOS ? lastSlice(from, point, slice) : lastRounds(from, point, slice);
            if (closer != null) {
                if (!from.is(base)) {
                    from.drop();
                }
                from = closer;
            }
            if (interrupted.getAsBoolean()) {
                if (!from.is(base)) {
                    from.drop();
                }
                return null;
            }
        }
        return from;
    }

    /**
     * A checkpoint a few rounds of a loop before the point, if the code behind another one is a loop whose rounds can be
     * counted; otherwise one at the last of slices of time, each of which costs a checkpoint. Null where it is near enough.
     */
    private Snapshot lastRounds(Snapshot from, Goal point, long slice) {
        try (ReplaySession session = from.frozen().thaw(like)) {
            Optional<Map<Long, Integer>> visits = sample(session, point, FIRST_SAMPLE);
            if (visits.isEmpty()) {
                return null;
            }
            ReplaySession ahead = leap(session, visits.get(), point);
            if (ahead != null) {
                try (ahead) {
                    return History.freeze(ahead, from.costNanos()).orElse(null);
                }
            }
        }
        return interrupted.getAsBoolean() ? null : lastSlice(from, point, slice);
    }

    /** Steps a session, and tells how often it was at each pc; empty when the point, or the segment's end, is no further away. */
    private static Optional<Map<Long, Integer>> sample(ReplaySession session, Goal point, int steps) {
        Map<Long, Integer> visits = new HashMap<>();
        for (int i = 0; ; i++) {
            if (session.ranToEvent() || point.reached(session)) {
                return Optional.empty();
            }
            if (i == steps) {
                return Optional.of(visits);
            }
            visits.merge(session.nextTask().tracee().register(Reg.RIP), 1, Integer::sum);
            Run.step(session);
        }
    }

    /** Runs to the point with a checkpoint after each slice; the last of them, or null when the first slice sufficed. */
    private Snapshot lastSlice(Snapshot from, Goal point, long firstSlice) {
        Snapshot last = null;
        Snapshot previous = null;
        Goal target = point.slow() ? new Goal.Within(point.event(), point.fastPoint(), null) : point;
        long slice = firstSlice;
        int slices = 0;
        try (ReplaySession session = from.frozen().thaw(like)) {
            Run run = new Run(session, scope, List.of(), interrupted);
            while (run.go(target, slice).end() == End.TIME) {
                Optional<Snapshot> next = History.freeze(session, from.costNanos());
                if (next.isPresent()) {
                    if (previous != null) {
                        previous.drop();
                    }
                    previous = last;
                    last = next.get();
                }
                // On a busy machine short slices may lead nowhere.
                slice = ++slices % SLICES == 0 ? 2 * slice : slice;
            }
        }
        boolean passed = last != null && point.slow() && isBehind(last, point, target);
        Snapshot kept = passed ? previous : last;
        Snapshot dropped = passed ? last : previous;
        if (dropped != null) {
            dropped.drop();
        }
        return kept;
    }

    /** Whether a checkpoint lies behind a point and before a target that is few instructions behind the point. */
    private boolean isBehind(Snapshot snapshot, Goal point, Goal target) {
        try (ReplaySession session = snapshot.frozen().thaw(like)) {
            for (int i = 0; i < Places.FEW_STEPS && !point.reached(session); i++) {
                if (target.reached(session) || Run.step(session) != Arrival.TRAP) {
                    return true;
                }
            }
        }
        return false;
    }

    private Optional<StepWindow> step(Snapshot near, Goal point) {
        StepWindow window = new StepWindow(point.event());
        ReplaySession session = near.frozen().thaw(like);
        int steps = 0;
        int sampled = 0;
        int sample = FIRST_SAMPLE;
        Map<Long, Integer> visits = new HashMap<>();
        try {
            while (!point.reached(session)) {
                if (interrupted.getAsBoolean()) {
                    window.close();
                    return Optional.empty();
                }
                if (sampled == sample) {
                    ReplaySession ahead = leap(session, visits, point);
                    sampled = 0;
                    visits.clear();
                    // The rounds of the loop may be longer than what was looked at.
                    sample = ahead != null ? FIRST_SAMPLE : Math.min(2 * sample, LAST_SAMPLE);
                    if (ahead != null) {
                        session.close();
                        session = ahead;
                        window.close();
                        window = new StepWindow(point.event());
                        steps = 0;
                        continue;
                    }
                }
                if (steps % StepWindow.SPACING == 0) {
                    window.mark(steps, History.freeze(session, near.costNanos()).orElseThrow());
                    window.shorten(KEPT_MARKS);
                }
                long pc = session.nextTask().tracee().register(Reg.RIP);
                long left = session.nextTask().tracee().register(Reg.RCX);
                visits.merge(pc, 1, Integer::sum);
                Arrival arrival = Run.step(session);
                sampled++;
                // A fault is an arrival at an event without executing anything but some rounds of a string instruction.
                boolean executed = arrival != Arrival.EVENT
                        || session.nextTask().tracee().register(Reg.RIP) != pc
                        || session.nextTask().tracee().register(Reg.RCX) != left;
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

    /**
     * A checkpoint some rounds of the loop before a point in whose midst the base lies; empty when the base lies in no loop
     * whose rounds can be counted.
     */
    Optional<Snapshot> roundsBefore(Snapshot base, Goal point) {
        try (ReplaySession session = base.frozen().thaw(like)) {
            Optional<Map<Long, Integer>> visits = sample(session, point, LAST_SAMPLE);
            ReplaySession ahead = visits.isEmpty() ? null : leap(session, visits.get(), point);
            if (ahead == null) {
                return Optional.empty();
            }
            try (ahead) {
                return History.freeze(ahead, base.costNanos());
            }
        }
    }

    /** The pcs that were visited more than once: those that are fast to count first, of them the hottest. */
    private static List<Long> heads(Map<Long, Integer> visits, LandmarkPath until) {
        return visits.entrySet().stream()
                .filter(entry -> entry.getValue() > 1)
                .sorted(Comparator.comparing((Map.Entry<Long, Integer> entry) -> !isFast(entry.getKey(), until))
                        .thenComparing(
                                Map.Entry.<Long, Integer>comparingByValue().reversed())
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .limit(HEADS)
                .toList();
    }

    /** Whether visits of a pc up to a point can be counted at full speed: one probe at the pc is enough, or there is room for two. */
    private static boolean isFast(long pc, LandmarkPath until) {
        return VisitCount.apart(pc, until) || isOwn(pc, until);
    }

    private static boolean isOwn(long pc, LandmarkPath until) {
        return until != null && pc == until.landmark().registers()[Reg.RIP];
    }

    /** A session some thousand visits further on in a loop so short that no probe fits beside the point; null at the point. */
    private ReplaySession nearer(Snapshot from, LandmarkPath until) {
        ReplaySession ahead = from.frozen().thaw(like);
        if (LandmarkRun.byRegister(ahead, until).isEmpty()) {
            return ahead;
        }
        ahead.close();
        return null;
    }

    /**
     * From a session in the middle of a loop: a session at one of the last visits of the loop's head before the point; null
     * when that is not ahead, or no head can be counted.
     */
    private ReplaySession leap(ReplaySession session, Map<Long, Integer> visits, Goal point) {
        LandmarkPath until = point instanceof Goal.Within ? point.fastPoint() : session.ahead();
        int rounds = ROUNDS + (point.slow() ? Places.FEW_STEPS : 0);
        List<Long> heads = heads(visits, until);
        Optional<Snapshot> from = heads.isEmpty() ? Optional.empty() : History.freeze(session, 0);
        if (from.isEmpty()) {
            return null;
        }
        try {
            for (long head : heads) {
                OptionalLong count;
                try (ReplaySession counting = from.get().frozen().thaw(like)) {
                    count = isOwn(head, until)
                            ? VisitCount.upTo(counting, until)
                            : VisitCount.count(counting, head, until);
                }
                if (interrupted.getAsBoolean() || count.isPresent() && count.getAsLong() < rounds + FEW_VISITS) {
                    return null;
                }
                if (count.isPresent()) {
                    ReplaySession ahead = from.get().frozen().thaw(like);
                    if (VisitCount.runTo(ahead, head, count.getAsLong() - rounds)) {
                        return ahead;
                    }
                    ahead.close();
                }
                if (!isFast(head, until)) {
                    return nearer(from.get(), until);
                }
            }
            return null;
        } finally {
            from.get().drop();
        }
    }
}
