package dev.eremite.replay.timeline;

/** Whether the move that is going on is to stop. A request that comes when nothing moves is meant for no later move. */
final class Interruption {
    private boolean moving;
    private boolean requested;

    synchronized void begin() {
        moving = true;
        requested = false;
    }

    synchronized void end() {
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
