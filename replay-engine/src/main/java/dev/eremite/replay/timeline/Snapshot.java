package dev.eremite.replay.timeline;

import dev.eremite.replay.session.FrozenSession;

/**
 * A checkpoint: the whole replay at one moment, frozen, in a form from which it can be brought back any number of times.
 *
 * @param frozen the forked processes
 * @param event the number of the next event
 * @param inside whether guest code of the segment that leads to it has run already
 * @param costNanos an estimate of the time that a replay from the beginning takes to get here
 */
record Snapshot(FrozenSession frozen, long event, boolean inside, long costNanos) {
    /** Whether it is the same one, not only another of the same place. */
    @SuppressWarnings("ReferenceEquality") // What is asked is whether dropping one drops the other.
    boolean is(Snapshot other) {
        return this == other;
    }

    void drop() {
        frozen.close();
    }
}
