package dev.eremite.replay.timeline;

import dev.eremite.replay.session.FrozenSession;
import dev.eremite.replay.session.ReplaySession;

/** A checkpoint: the whole replay at one moment, frozen, in a form from which it can be brought back any number of times. */
final class Snapshot implements AutoCloseable {
    private final FrozenSession frozen;
    private final long event;
    private final boolean inside;
    private final boolean arrived;
    private final int process;
    private final long costNanos;
    private Goal place;

    /**
     * A checkpoint.
     *
     * @param frozen the forked processes
     * @param event the number of the next event
     * @param inside whether guest code of the segment that leads to it has run already
     * @param arrived whether all of it has
     * @param process the process that runs next, as recorded; 0 at the end
     * @param costNanos an estimate of the time that a replay from the beginning takes to get here
     */
    Snapshot(FrozenSession frozen, long event, boolean inside, boolean arrived, int process, long costNanos) {
        this.frozen = frozen;
        this.event = event;
        this.inside = inside;
        this.arrived = arrived;
        this.process = process;
        this.costNanos = costNanos;
    }

    FrozenSession frozen() {
        return frozen;
    }

    long event() {
        return event;
    }

    boolean inside() {
        return inside;
    }

    /** Whether what the numbers of events and the ways inside their segments tell suffices to know that another one is later. */
    boolean certainlyBefore(Snapshot other) {
        return event < other.event || event == other.event && (!inside || !arrived && other.arrived);
    }

    /** Whether the same tells that it is later than where a session stands. */
    boolean certainlyBehind(ReplaySession session) {
        return event > session.position() || event == session.position() && arrived && !session.ranToEvent();
    }

    /** The process that runs next, as recorded; 0 at the end. */
    int process() {
        return process;
    }

    long costNanos() {
        return costNanos;
    }

    /**
     * A goal at its place, or few instructions behind it where that is found faster.
     *
     * @param limit a goal that lies behind, which the other must not pass
     */
    Goal place(ReplaySession like, Goal limit) {
        try (ReplaySession session = frozen.thaw(like)) {
            if (place == null) {
                // Found once, since it takes running ahead and reading the memory.
                place = Places.of(session);
            }
            return Places.nearBehind(session, place, limit);
        }
    }

    /** Whether it is the same one, not only another of the same place. */
    @SuppressWarnings("ReferenceEquality") // What is asked is whether dropping one drops the other.
    boolean is(Snapshot other) {
        return this == other;
    }

    void drop() {
        frozen.close();
    }

    /** The same as {@link #drop}, at the end of a block. */
    @Override
    public void close() {
        drop();
    }
}
