package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.Breakpoint;
import dev.eremite.replay.debug.DebugTarget.BreakpointKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Breakpoints in groups, each of which fits into the processor's debug registers: what one run cannot watch, several runs over
 * the same stretch can, each at the code's own speed. A watchpoint that is too large for the registers is cut into parts.
 */
final class WatchGroups {
    private final List<List<Breakpoint>> groups = new ArrayList<>();
    private final Map<Breakpoint, Breakpoint> wholes = new HashMap<>();

    private WatchGroups() {
        groups.add(new ArrayList<>());
    }

    /** The first group has all that are not watchpoints. */
    static WatchGroups of(List<Breakpoint> breakpoints) {
        WatchGroups made = new WatchGroups();
        for (Breakpoint breakpoint : breakpoints) {
            if (isWatch(breakpoint)) {
                WatchRegisters.cut(breakpoint).forEach(part -> made.add(part, breakpoint));
            } else {
                made.first().add(breakpoint);
            }
        }
        return made;
    }

    private static boolean isWatch(Breakpoint breakpoint) {
        return breakpoint.kind() != BreakpointKind.SOFTWARE && breakpoint.kind() != BreakpointKind.HARDWARE;
    }

    private void add(Breakpoint part, Breakpoint whole) {
        wholes.put(part, whole);
        for (List<Breakpoint> group : groups) {
            group.add(part);
            if (WatchRegisters.fitWell(
                    group.stream().filter(point -> isWatch(point) && point.process() == part.process()))) {
                return;
            }
            group.removeLast();
        }
        groups.add(new ArrayList<>(List.of(part)));
    }

    boolean single() {
        return groups.size() == 1;
    }

    List<Breakpoint> first() {
        return groups.getFirst();
    }

    /** All but the first, which have nothing but watchpoints. */
    List<List<Breakpoint>> others() {
        return groups.subList(1, groups.size());
    }

    /** What was set, of which a group has a part. */
    Breakpoint whole(Breakpoint part) {
        return wholes.getOrDefault(part, part);
    }

    /** Which of two that are hit at the same place is told; the other one is a watchpoint. */
    Breakpoint choose(Breakpoint one, Breakpoint watch) {
        return isWatch(one) ? WatchChoice.of(List.of(whole(one), whole(watch))).orElseThrow() : watch;
    }
}
