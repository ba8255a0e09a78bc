package dev.eremite.replay.timeline;

import dev.eremite.replay.session.ReplayOutput;

/** Lets what the program wrote through once, in order, however often the same events are replayed. */
final class OutputGate implements ReplayOutput {
    private final ReplayOutput out;
    private long current;
    private long nextNew;

    OutputGate(ReplayOutput out) {
        this.out = out;
    }

    /** Before an event is applied: its number. */
    void at(long event) {
        current = event;
    }

    /** After the present has moved forward: everything before this event has been shown. */
    void shown(long event) {
        nextNew = Math.max(nextNew, event);
    }

    /** What code prints that runs off the recording. */
    void divert(int stream, byte[] bytes) {
        out.write(stream, bytes);
    }

    @Override
    public void write(int stream, byte[] bytes) {
        if (current >= nextNew) {
            out.write(stream, bytes, current);
            nextNew = current + 1;
        }
    }
}
