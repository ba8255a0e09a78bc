package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.Breakpoint;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.timeline.Run.End;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Searches backwards for more watchpoints than the processor has registers for: group by group, each behind the last find. */
final class GroupedSearch {
    private final Backward backward;
    private final DebugScope scope;
    private final History history;
    private final ReplaySession like;
    private final BooleanSupplier interrupted;

    GroupedSearch(
            Backward backward, DebugScope scope, History history, ReplaySession like, BooleanSupplier interrupted) {
        this.backward = backward;
        this.scope = scope;
        this.history = history;
        this.like = like;
        this.interrupted = interrupted;
    }

    /**
     * The last hit of any breakpoint before a point.
     *
     * @param base tells the last checkpoint before the point
     * @param limit a place behind which the hit must be
     * @return empty when there is none back to that place or the beginning of history, or when interrupted
     */
    Optional<Found> lastHit(Goal point, Supplier<Snapshot> base, WatchGroups groups, Moment limit) {
        List<List<Breakpoint>> others = new ArrayList<>(groups.others());
        others.addFirst(groups.first());
        Found last = nearest(point, base, others, limit).orElse(null);
        try {
            for (List<Breakpoint> group : others) {
                if (interrupted.getAsBoolean()) {
                    break;
                }
                if (last == null || isHitBehind(last, point, group)) {
                    Optional<Found> later = backward.lastHit(point, base.get(), group, limit);
                    if (later.isPresent()) {
                        last = last == null ? later.get() : chosen(last, later.get(), groups);
                    }
                }
            }
        } catch (RuntimeException e) {
            if (last != null) {
                last.close();
            }
            throw e;
        }
        if (last != null && interrupted.getAsBoolean()) {
            last.close();
            return Optional.empty();
        }
        return Optional.ofNullable(last).map(found -> found.hitting(groups.whole(found.hit())));
    }

    /**
     * The last hit of the group, of all, that is hit a short way before the point, further and further back: none is looked
     * for through all of history while another one is near. That group is taken out of the groups.
     */
    private Optional<Found> nearest(Goal point, Supplier<Snapshot> base, List<List<Breakpoint>> groups, Moment limit) {
        long lastEvent = Long.MAX_VALUE;
        int stride = 1;
        for (int i = history.indexOf(base.get()); i > 0 && !interrupted.getAsBoolean(); i -= stride, stride *= 2) {
            Moment depth = new Moment(history.get(i).event(), 0);
            if (depth.compareTo(limit) <= 0) {
                break;
            }
            if (depth.event() == lastEvent) {
                continue;
            }
            lastEvent = depth.event();
            for (int group = 0; group < groups.size(); group++) {
                Optional<Found> found = backward.lastHit(point, base.get(), groups.get(group), depth);
                if (found.isPresent()) {
                    List<Breakpoint> hit = groups.remove(group);
                    if (Moment.of(found.get().session()).compareTo(depth) > 0) {
                        return found;
                    }
                    // Where the way ended counts for a limit only if it is one.
                    found.get().close();
                    return backward.lastHit(point, base.get(), hit, limit);
                }
            }
            // The searches may have dropped checkpoints.
            i = Math.min(i, history.size() - 1);
        }
        return Optional.empty();
    }

    private boolean isHitBehind(Found last, Goal point, List<Breakpoint> group) {
        Optional<Snapshot> place = History.freeze(last.session(), 0);
        if (place.isEmpty()) {
            return true;
        }
        // A few instructions more do no harm: whether there really is a hit is asked afterwards.
        Goal until = point.slow() ? new Goal.Within(point.event(), point.fastPoint(), null) : point;
        try (Snapshot start = place.get();
                ReplaySession session = start.frozen().thaw(like)) {
            return new Run(session, scope, group, interrupted).go(until, -1).end() == End.HIT;
        }
    }

    /** The later of two finds; what one instruction does is told as one of them. */
    private static Found chosen(Found last, Found later, WatchGroups groups) {
        boolean same = Places.of(last.session()).reached(later.session());
        last.close();
        return same ? later.hitting(groups.choose(last.hit(), later.hit())) : later;
    }
}
