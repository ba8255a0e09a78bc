package dev.eremite.gdb.packet;

import dev.eremite.replay.debug.DebugTarget.Direction;
import dev.eremite.replay.debug.DebugTarget.Movement;
import dev.eremite.replay.debug.Stop;
import dev.eremite.replay.debug.Stop.Reason;

/**
 * Words a step forward that leads to the end of history. Before it continues from a breakpoint, gdb steps over it, and where
 * the end of history answers that step, gdb (13, at least) never moves the program again in either direction. So the step is
 * answered as an ordinary one; the end is for the movement that follows, which is no such step where gdb has not shown the
 * stop to its user in between.
 */
final class EndOfHistory {
    /** For the user, whose step leads nowhere. */
    private static final String NOTICE = "eremite: the recording ends here\n";

    private boolean stepped;

    /** The user may see where the program stands: the next step may be one over a breakpoint again. */
    void shown() {
        stepped = false;
    }

    /**
     * What to answer instead of a stop.
     *
     * @param movement what led there
     * @param silent whether the place is where it began, and the user has been told nothing of the end
     */
    Stop answer(Stop stop, Movement movement, boolean silent, DebugSession session) {
        boolean ended = stop.reason() == Reason.HISTORY_END;
        boolean step = movement.direction() == Direction.FORWARD && movement.thread() != 0;
        stepped = ended && step && !stepped;
        if (!stepped) {
            return stop;
        }
        if (silent) {
            session.show(NOTICE);
        }
        return new Stop(Reason.STEP, stop.process(), stop.thread(), 0, 0, stop.event());
    }
}
