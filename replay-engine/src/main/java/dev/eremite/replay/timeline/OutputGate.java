package dev.eremite.replay.timeline;

import dev.eremite.replay.session.ReplayOutput;
import java.util.ArrayList;
import java.util.List;

/** Lets what the program wrote through once, in order, however often the same events are replayed. */
final class OutputGate implements ReplayOutput {
    private final ReplayOutput out;
    private final List<Held> held = new ArrayList<>();
    private boolean holding;
    private long current;
    private boolean isNew;
    private long nextNew;

    private record Held(long event, int stream, byte[] bytes) {}

    OutputGate(ReplayOutput out) {
        this.out = out;
    }

    /** Before an event is applied: its number. */
    void at(long event) {
        current = event;
        // Decided once: one event may write several times (writev(2)).
        isNew = event >= nextNew;
    }

    /** After the present has moved forward: everything before this event has been shown. */
    void shown(long event) {
        nextNew = Math.max(nextNew, event);
    }

    /** From now on keeps what is written, until it is known how far the present has moved. */
    void hold() {
        holding = true;
    }

    /** Lets through what was kept of the events before one, where the present has come to; the rest has not happened. */
    void release(long event) {
        for (Held each : held) {
            if (each.event() < event) {
                out.write(each.stream(), each.bytes(), each.event());
            } else {
                nextNew = Math.min(nextNew, each.event());
            }
        }
        held.clear();
    }

    /** Ends the keeping; what is still kept has not happened. */
    void passOn() {
        release(0);
        holding = false;
    }

    /** What code prints that runs off the recording. */
    void divert(int stream, byte[] bytes) {
        out.write(stream, bytes);
    }

    @Override
    public void write(int stream, byte[] bytes) {
        if (isNew) {
            if (holding) {
                held.add(new Held(current, stream, bytes));
            } else {
                out.write(stream, bytes, current);
            }
            nextNew = current + 1;
        }
    }
}
