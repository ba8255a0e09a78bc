package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.Breakpoint;
import dev.eremite.replay.debug.DebugTarget.BreakpointKind;
import dev.eremite.replay.session.ReplaySession;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Looks for the last hit of a breakpoint among the steps that are known already. Debuggers go back over a call by a
 * breakpoint at the function's beginning, which mostly is a few hundred steps back, and may be hit very often further back.
 */
final class WindowSearch {
    /** Further steps would take longer than a search from the last checkpoint. */
    private static final int FURTHEST = 3 * StepWindow.SPACING;

    private final DebugScope scope;
    private final ReplaySession like;
    private final BooleanSupplier interrupted;

    WindowSearch(DebugScope scope, ReplaySession like, BooleanSupplier interrupted) {
        this.scope = scope;
        this.like = like;
        this.interrupted = interrupted;
    }

    /**
     * The last hit before a step of a window.
     *
     * @param window the steps that lead to the present place, or null
     * @param base the last checkpoint of the history before the window
     * @return empty when there is none among the nearest steps, which says nothing of what comes before them; when a
     *     watchpoint is set, which steps are too slow to look for; or when interrupted
     */
    Optional<Found> lastHit(StepWindow window, int step, Snapshot base, List<Breakpoint> breakpoints) {
        if (window == null || breakpoints.isEmpty() || !breakpoints.stream().allMatch(WindowSearch::inCode)) {
            return Optional.empty();
        }
        int end = step;
        for (int mark : window.marksBefore(step)) {
            if (step - mark > FURTHEST || interrupted.getAsBoolean()) {
                return Optional.empty();
            }
            int last = -1;
            Breakpoint hit = null;
            try (ReplaySession session = window.at(mark, like)) {
                Run run = new Run(session, scope, breakpoints, interrupted);
                for (int i = mark; i < end; i++) {
                    Breakpoint here = run.standingAt();
                    if (here != null) {
                        last = i;
                        hit = here;
                    }
                    Run.step(session);
                }
            }
            if (hit != null) {
                return Optional.of(new Found(window.at(last, like), base, hit, window, last));
            }
            end = mark;
        }
        return Optional.empty();
    }

    private static boolean inCode(Breakpoint breakpoint) {
        return breakpoint.kind() == BreakpointKind.SOFTWARE || breakpoint.kind() == BreakpointKind.HARDWARE;
    }
}
