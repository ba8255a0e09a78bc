package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.Breakpoint;
import dev.eremite.replay.debug.DebugTarget.BreakpointKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Breakpoints in groups, each of which fits into the processor's debug registers: what one run cannot watch, several runs over
 * the same stretch can, each at the code's own speed. A watchpoint that is too large for the registers is cut into parts.
 */
final class WatchGroups {
    /** Each takes copies of all threads. */
    private static final int MOST = 64;

    private final List<List<Breakpoint>> groups = new ArrayList<>();
    private final Map<Breakpoint, List<Breakpoint>> wholes = new HashMap<>();

    private WatchGroups() {
        groups.add(new ArrayList<>());
    }

    /**
     * Groups of breakpoints; the first has all that are not watchpoints.
     *
     * @return empty where one group is enough, or so many would be needed that code is stepped instead
     */
    static Optional<WatchGroups> of(List<Breakpoint> breakpoints) {
        long bytes = breakpoints.stream()
                .filter(WatchGroups::isWatch)
                .mapToLong(Breakpoint::length)
                .sum();
        if (bytes > (long) MOST * WatchRegisters.mostBytes()) {
            return Optional.empty();
        }
        WatchGroups made = new WatchGroups();
        for (Breakpoint breakpoint : breakpoints) {
            if (isWatch(breakpoint)) {
                WatchRegisters.cut(breakpoint).forEach(part -> made.add(part, breakpoint));
            } else {
                made.first().add(breakpoint);
            }
        }
        int size = made.groups.size();
        return size == 1 || size > MOST ? Optional.empty() : Optional.of(made);
    }

    private static boolean isWatch(Breakpoint breakpoint) {
        return breakpoint.kind() != BreakpointKind.SOFTWARE && breakpoint.kind() != BreakpointKind.HARDWARE;
    }

    private void add(Breakpoint part, Breakpoint whole) {
        wholes.computeIfAbsent(part, p -> new ArrayList<>()).add(whole);
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

    List<Breakpoint> first() {
        return groups.getFirst();
    }

    /** All but the first, which have nothing but watchpoints. */
    List<List<Breakpoint>> others() {
        return groups.subList(1, groups.size());
    }

    /** What was set, of which a group has a part. */
    Breakpoint whole(Breakpoint part) {
        return wholes.containsKey(part) ? WatchChoice.of(wholes.get(part)).orElseThrow() : part;
    }

    /** Which of two that are hit at the same place is told; the other one is a watchpoint. */
    Breakpoint choose(Breakpoint one, Breakpoint watch) {
        return isWatch(one) ? WatchChoice.of(List.of(whole(one), whole(watch))).orElseThrow() : watch;
    }
}
