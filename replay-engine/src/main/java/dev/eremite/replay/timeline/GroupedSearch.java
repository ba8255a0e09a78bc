package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.Breakpoint;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.timeline.Run.End;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Searches backwards for more watchpoints than the processor has registers for: group by group, each behind the last find. */
final class GroupedSearch {
    private final Backward backward;
    private final DebugScope scope;
    private final ReplaySession like;
    private final BooleanSupplier interrupted;

    GroupedSearch(Backward backward, DebugScope scope, ReplaySession like, BooleanSupplier interrupted) {
        this.backward = backward;
        this.scope = scope;
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
        Found last = backward.lastHit(point, base.get(), groups.first(), limit).orElse(null);
        for (List<Breakpoint> group : groups.others()) {
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
        if (last != null && interrupted.getAsBoolean()) {
            last.close();
            return Optional.empty();
        }
        return Optional.ofNullable(last).map(found -> found.hitting(groups.whole(found.hit())));
    }

    private boolean isHitBehind(Found last, Goal point, List<Breakpoint> group) {
        Optional<Snapshot> place = History.freeze(last.session(), 0);
        if (place.isEmpty()) {
            return true;
        }
        try (ReplaySession session = place.get().frozen().thaw(like)) {
            return new Run(session, scope, group, interrupted).go(point, -1).end() == End.HIT;
        } finally {
            place.get().drop();
        }
    }

    /** The later of two finds; what one instruction does is told as one of them. */
    private static Found chosen(Found last, Found later, WatchGroups groups) {
        boolean same = Places.of(last.session()).reached(later.session());
        last.close();
        return same ? later.hitting(groups.choose(last.hit(), later.hit())) : later;
    }
}
