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
        Found last = null;
        try {
            for (List<Breakpoint> group : nearestFirst(point, base, groups, limit)) {
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
     * The groups, beginning with one that is hit shortly before the point, if any: none is looked for through all of history
     * while another one is near.
     */
    private List<List<Breakpoint>> nearestFirst(Goal point, Supplier<Snapshot> base, WatchGroups groups, Moment limit) {
        List<List<Breakpoint>> order = new ArrayList<>();
        order.add(groups.first());
        order.addAll(groups.others());
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
            for (List<Breakpoint> group : List.copyOf(order)) {
                Optional<Found> found = backward.lastHit(point, base.get(), group, depth);
                if (found.isPresent()) {
                    found.get().close();
                    order.remove(group);
                    order.addFirst(group);
                    return order;
                }
            }
            // The searches may have dropped checkpoints.
            i = Math.min(i, history.size() - 1);
        }
        return order;
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
