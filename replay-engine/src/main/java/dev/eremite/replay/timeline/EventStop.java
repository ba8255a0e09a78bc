package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.Stop.Reason;

/**
 * A stop that an event of the recording brings about, not a breakpoint.
 *
 * @param number as in {@link dev.eremite.replay.debug.Stop}
 * @param program the program for EXEC, else empty
 * @param ways in which directions it is told
 */
record EventStop(Reason reason, int process, int thread, int number, String program, Ways ways) {
    /** In which directions a stop is told. */
    enum Ways {
        BOTH,
        FORWARD,
        BACKWARD,
        /** In neither: it keeps its place among the others. */
        NONE
    }

    EventStop(Reason reason, int process, int thread, int number, Ways ways) {
        this(reason, process, thread, number, "", ways);
    }

    boolean told(boolean forward) {
        return ways == Ways.BOTH || ways == (forward ? Ways.FORWARD : Ways.BACKWARD);
    }

    /** Whether a debugger that steps must hear of it too, because what exists changes there. */
    boolean needed() {
        return switch (reason) {
            case EXEC, EXITED, APPEARED, FORK, VFORK, VFORK_DONE -> true;
            default -> false;
        };
    }
}
