package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.Breakpoint;
import dev.eremite.replay.session.ReplaySession;

/**
 * Where a search ended.
 *
 * @param session a session that stands there
 * @param base a checkpoint before it, mostly the last one
 * @param hit the breakpoint that was hit, or null
 * @param window the steps around it, or null
 * @param step its place in the window
 * @param behind with a watchpoint, the place behind what wrote; else null
 */
record Found(ReplaySession session, Snapshot base, Breakpoint hit, StepWindow window, int step, Moment behind) {
    Found(ReplaySession session, Snapshot base, Breakpoint hit, StepWindow window, int step) {
        this(session, base, hit, window, step, null);
    }

    /** The same place with another breakpoint. */
    Found hitting(Breakpoint other) {
        return new Found(session, base, other, window, step, behind);
    }

    /** Gives up a place that is not wanted. */
    void close() {
        session.close();
        if (window != null) {
            window.close();
        }
    }
}
