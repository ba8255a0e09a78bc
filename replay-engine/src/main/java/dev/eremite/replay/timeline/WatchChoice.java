package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.Breakpoint;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Chooses which of the watchpoints that one instruction hits is told. */
final class WatchChoice {
    private WatchChoice() {}

    /**
     * The one whose first byte most of them watch. Gdb looks only at watchpoints that contain the address it is told, and goes
     * on when the condition of those does not hold: one that overlaps them would be passed over.
     */
    static Optional<Breakpoint> of(List<Breakpoint> hit) {
        return hit.stream().max(Comparator.comparingLong(watch -> sharing(hit, watch)));
    }

    private static long sharing(List<Breakpoint> hit, Breakpoint watch) {
        return hit.stream()
                .filter(other -> other.process() == watch.process())
                .filter(other -> Long.compareUnsigned(watch.address() - other.address(), other.length()) < 0)
                .count();
    }
}
