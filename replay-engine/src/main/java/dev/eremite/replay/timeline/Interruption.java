package dev.eremite.replay.timeline;

import java.util.function.Supplier;

/** Whether the move that is going on is to stop. A request that comes when nothing moves is meant for no later move. */
final class Interruption {
    private boolean moving;
    private boolean requested;

    /** Does something that a request stops; also as a part of something that a request stops. */
    <T> T during(Supplier<T> action) {
        boolean outer = begin();
        try {
            return action.get();
        } finally {
            if (outer) {
                end();
            }
        }
    }

    private synchronized boolean begin() {
        if (moving) {
            return false;
        }
        moving = true;
        requested = false;
        return true;
    }

    private synchronized void end() {
        moving = false;
        requested = false;
    }

    /** Asks; from any thread. Returns whether there is something to stop. */
    synchronized boolean request() {
        requested = moving;
        return moving;
    }

    synchronized boolean requested() {
        return requested;
    }
}
