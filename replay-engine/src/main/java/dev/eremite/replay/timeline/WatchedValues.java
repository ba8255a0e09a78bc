package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.Breakpoint;
import dev.eremite.replay.debug.DebugTarget.BreakpointKind;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What stood in watched memory at one moment. */
final class WatchedValues {
    private final Map<Breakpoint, byte[]> values = new LinkedHashMap<>();
    private final Memory memory;

    /** Reads a debugged process's memory; shorter than asked where it is not mapped. */
    @FunctionalInterface
    interface Memory {
        byte[] read(int process, long address, int length);
    }

    private WatchedValues(Memory memory) {
        this.memory = memory;
    }

    static WatchedValues of(List<Breakpoint> breakpoints, Memory memory) {
        WatchedValues values = new WatchedValues(memory);
        for (Breakpoint watch : breakpoints) {
            if (watch.kind() == BreakpointKind.WRITE || watch.kind() == BreakpointKind.ACCESS) {
                values.values.put(watch, values.read(watch));
            }
        }
        return values;
    }

    private byte[] read(Breakpoint watch) {
        return memory.read(watch.process(), watch.address(), (int) watch.length());
    }

    /** A watchpoint whose memory is not what it was. */
    Optional<Breakpoint> changed() {
        List<Breakpoint> changed = values.entrySet().stream()
                .filter(entry -> !Arrays.equals(entry.getValue(), read(entry.getKey())))
                .map(Map.Entry::getKey)
                .toList();
        return WatchChoice.of(changed);
    }
}
