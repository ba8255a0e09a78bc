package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.Breakpoint;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.timeline.Run.End;
import dev.eremite.replay.timeline.Run.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Copies of a session that moves forward which go the same way slice by slice, each with the watchpoints of another group: what
 * any of them meets in a slice comes before the slice's end.
 */
final class Companions implements AutoCloseable {
    private static final long FIRST_SLICE_NANOS = 20_000_000;
    private static final long LAST_SLICE_NANOS = 640_000_000;

    private static final class Companion {
        private final ReplaySession session;
        private final Run run;

        Companion(ReplaySession session, Run run) {
            this.session = session;
            this.run = run;
        }
    }

    /**
     * Where the way forward ends earlier than the moving session.
     *
     * @param session one that stands there, and now belongs to the receiver
     */
    record Earlier(ReplaySession session, Outcome outcome) {}

    private final DebugScope scope;
    private final WatchGroups groups;
    private final List<Companion> companions = new ArrayList<>();
    private long slice = FIRST_SLICE_NANOS;

    private Companions(DebugScope scope, WatchGroups groups) {
        this.scope = scope;
        this.groups = groups;
    }

    /**
     * Companions of a session, from where it stands.
     *
     * @return with none where all breakpoints fit into one group; empty where the session cannot be copied just now
     */
    static Optional<Companions> of(
            ReplaySession present, DebugScope scope, WatchGroups groups, BooleanSupplier interrupted) {
        Companions made = new Companions(scope, groups);
        if (groups.single()) {
            return Optional.of(made);
        }
        return History.freeze(present, 0).map(start -> {
            for (List<Breakpoint> group : groups.others()) {
                ReplaySession session = start.frozen().thaw(present);
                made.companions.add(new Companion(session, new Run(session, scope, group, interrupted)));
            }
            start.drop();
            scope.output().hold();
            return made;
        });
    }

    /** How long the session that moves is to run before the others follow, in nanoseconds, but so long at least. */
    long slice(long least) {
        return companions.isEmpty() ? least : Math.max(least, slice);
    }

    /**
     * Brings all companions to where the moving session has come.
     *
     * @param outcome why that stopped
     * @return the place where one of them has to stop on the way, if any
     */
    Optional<Earlier> follow(ReplaySession moved, Outcome outcome) {
        if (companions.isEmpty()) {
            return Optional.empty();
        }
        slice = Math.min(2 * slice, LAST_SLICE_NANOS);
        Goal end = Places.of(moved);
        Companion first = null;
        Outcome met = outcome;
        for (Companion companion : companions) {
            Outcome here =
                    companion.run.tellingAtGoal(outcome.end() != End.TIME).go(end, -1);
            if (here.end() == End.HIT || here.end() == End.INTERRUPTED) {
                boolean same = here.end() == End.HIT && met.end() == End.HIT && end.reached(companion.session);
                met = same ? new Outcome(End.HIT, groups.choose(met.hit(), here.hit()), here.byEvent()) : here;
                first = companion;
                end = Places.of(companion.session);
            }
        }
        scope.output().release((first == null ? moved : first.session).position());
        if (first == null) {
            return Optional.empty();
        }
        companions.remove(first);
        return Optional.of(new Earlier(first.session, met));
    }

    @Override
    public void close() {
        companions.forEach(companion -> companion.session.close());
        scope.output().passOn();
    }
}
