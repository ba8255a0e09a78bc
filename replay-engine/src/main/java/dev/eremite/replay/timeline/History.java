package dev.eremite.replay.timeline;

import dev.eremite.replay.session.FrozenSession;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.session.ReplayTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The checkpoints of a recording in order of time. The first is its beginning and stays. */
final class History {
    private static final int PROCESS_BUDGET = 48;

    private final List<Snapshot> snapshots = new ArrayList<>();

    /** Freezes a session; empty where that cannot be done just now. */
    static Optional<Snapshot> freeze(ReplaySession session, long costNanos) {
        ReplayTask next = session.nextTask();
        int process = next == null ? 0 : next.process().pid();
        return FrozenSession.of(session)
                .map(frozen -> new Snapshot(
                        frozen, session.position(), session.moved(), session.ranToEvent(), process, costNanos));
    }

    int size() {
        return snapshots.size();
    }

    Snapshot get(int index) {
        return snapshots.get(index);
    }

    /** Where a snapshot stands in the order; −1 when it has been dropped. */
    int indexOf(Snapshot snapshot) {
        return snapshots.indexOf(snapshot);
    }

    /**
     * Puts a snapshot behind another one, and behind all others that certainly come before it.
     *
     * @param base one that is known to come before; null for none
     * @param bound one that is known to come behind; null for none
     * @return false, and nothing is done, where others in the same segment may come before it or behind it
     * @throws IllegalStateException if it certainly comes before the base: a search would run past its goal
     */
    boolean add(Snapshot base, Snapshot added, Snapshot bound) {
        if (base != null && added.certainlyBefore(base) && !base.certainlyBefore(added)) {
            throw new IllegalStateException(
                    "a checkpoint of event " + added.event() + " behind one of event " + base.event());
        }
        int at = base == null ? 0 : indexOf(base) + 1;
        while (at < snapshots.size() && snapshots.get(at).certainlyBefore(added)) {
            at++;
        }
        boolean known = at == snapshots.size()
                || added.certainlyBefore(snapshots.get(at))
                || snapshots.get(at).equals(bound);
        if (known) {
            snapshots.add(at, added);
        }
        return known;
    }

    /** Drops those behind a snapshot of which is not known whether they lie before or behind where a session stands. */
    void dropUncertain(Snapshot base, ReplaySession session) {
        int end = indexOf(base) + 1;
        while (end < snapshots.size() && !snapshots.get(end).certainlyBehind(session)) {
            end++;
        }
        removeBetween(base, end);
    }

    /** Drops the snapshots between one and an index. */
    void removeBetween(Snapshot from, int end) {
        List<Snapshot> between = snapshots.subList(indexOf(from) + 1, end);
        between.forEach(Snapshot::drop);
        between.clear();
    }

    /** The last snapshot that is certainly not behind the boundary before an event. */
    Snapshot lastBefore(long event) {
        Snapshot best = snapshots.getFirst();
        for (Snapshot snapshot : snapshots) {
            if (snapshot.event() < event || snapshot.event() == event && !snapshot.inside()) {
                best = snapshot;
            }
        }
        return best;
    }

    /**
     * Where there are too many, drops those that are missed least: those that lie close to their neighbours and far from the
     * present. Not to be called in the midst of a search.
     *
     * @param present one that stays
     */
    void thin(Snapshot present) {
        while (snapshots.stream().mapToInt(s -> s.frozen().size()).sum() > PROCESS_BUDGET && snapshots.size() > 2) {
            int worst = -1;
            double least = Double.MAX_VALUE;
            for (int i = 1; i < snapshots.size() - 1; i++) {
                Snapshot candidate = snapshots.get(i);
                if (candidate.is(present)) {
                    continue;
                }
                long gap =
                        snapshots.get(i + 1).costNanos() - snapshots.get(i - 1).costNanos();
                long distance = Math.abs(present.costNanos() - candidate.costNanos()) + 1;
                double value = (double) gap / distance;
                if (value < least) {
                    least = value;
                    worst = i;
                }
            }
            if (worst < 0) {
                return;
            }
            snapshots.remove(worst).drop();
        }
    }

    void close() {
        snapshots.forEach(Snapshot::drop);
        snapshots.clear();
    }
}
