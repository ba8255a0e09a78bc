package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.Breakpoint;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.timeline.Run.End;
import dev.eremite.replay.timeline.Run.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Copies of a session that moves forward which go the same way slice by slice, each with the watchpoints of another group: what
 * any of them meets in a slice comes before the slice's end.
 */
final class Companions implements AutoCloseable {
    private static final long FIRST_SLICE_NANOS = 20_000_000;
    private static final long LAST_SLICE_NANOS = 640_000_000;

    private record Companion(ReplaySession session, Run run) {}

    /**
     * Where a slice ends.
     *
     * @param earlier a session that stands there, and now belongs to the receiver; null where the moving session does
     */
    record Settled(Outcome outcome, ReplaySession earlier) {}

    private final DebugScope scope;
    private final WatchGroups groups;
    private final List<Companion> companions = new ArrayList<>();
    private long slice = FIRST_SLICE_NANOS;

    /**
     * Companions of a session, from where it stands.
     *
     * @param start a checkpoint there
     */
    Companions(
            ReplaySession present, Snapshot start, DebugScope scope, WatchGroups groups, BooleanSupplier interrupted) {
        this.scope = scope;
        this.groups = groups;
        scope.output().hold();
        try {
            for (List<Breakpoint> group : groups.others()) {
                ReplaySession session = start.frozen().thaw(present);
                companions.add(new Companion(session, new Run(session, scope, group, interrupted)));
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** How long the session that moves is to run before the others follow, in nanoseconds, but so long at least. */
    long slice(long least) {
        return Math.max(least, slice);
    }

    /**
     * Brings all companions to where the moving session has come.
     *
     * @param run that of the moving session, which is brought a little further where the others would find it slowly
     * @param outcome why it stopped
     * @throws IllegalStateException when a companion does not come there
     */
    Settled follow(ReplaySession moved, Run run, Outcome outcome) {
        slice = Math.min(2 * slice, LAST_SLICE_NANOS);
        Outcome met = outcome;
        Goal end = Places.of(moved);
        if (outcome.end() == End.TIME && end.slow()) {
            Outcome further = run.go(new Goal.Within(end.event(), end.fastPoint(), null), -1);
            met = further.end() == End.GOAL ? outcome : further;
            end = Places.of(moved);
        }
        Companion first = null;
        for (Companion companion : companions) {
            Outcome here = companion.run.tellingAtGoal(met.end() != End.TIME).go(end, -1);
            if (here.end() == End.HIT || here.end() == End.INTERRUPTED) {
                boolean same = here.end() == End.HIT && met.end() == End.HIT && end.reached(companion.session);
                met = same ? new Outcome(End.HIT, groups.choose(met.hit(), here.hit()), here.byEvent()) : here;
                first = companion;
                end = Places.of(companion.session);
            } else if (here.end() != End.GOAL) {
                throw new IllegalStateException("a run to event " + end.event() + " does not recur: " + here.end());
            }
        }
        scope.output().release((first == null ? moved : first.session).position());
        companions.remove(first);
        return new Settled(met, first == null ? null : first.session);
    }

    @Override
    public void close() {
        try {
            companions.forEach(companion -> companion.session.close());
        } finally {
            scope.output().passOn();
        }
    }
}
