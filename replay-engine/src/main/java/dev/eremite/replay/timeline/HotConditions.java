package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.Breakpoint;
import dev.eremite.replay.debug.DebugTarget.Condition;
import dev.eremite.replay.debug.Equality;
import dev.eremite.replay.probe.Comparison;
import dev.eremite.replay.probe.ProbeAssembler;
import dev.eremite.replay.probe.ProbeCondition;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** Which breakpoints are visited often within a segment while their conditions do not hold. */
final class HotConditions {
    /** A probe costs as much to put in and take out as evaluating so many conditions. */
    private static final int MANY = 100;

    /** What was visited often in one segment mostly is in the next. */
    private static final int FEW = 5;

    private final Map<Long, List<Breakpoint>> code;
    private final Map<Long, Integer> failed = new HashMap<>();
    private final Set<Long> hotBefore = new HashSet<>();
    private final Set<Long> refused = new HashSet<>();
    private long hot;

    /** Looks at these breakpoints, by address. */
    HotConditions(Map<Long, List<Breakpoint>> code) {
        this.code = code;
    }

    /** A condition did not hold at an address. */
    void failedAt(long pc) {
        int many = hotBefore.contains(pc) ? FEW : MANY;
        if (failed.merge(pc, 1, Integer::sum) == many && !refused.contains(pc) && alone(pc)) {
            hot = pc;
            hotBefore.add(pc);
        }
    }

    /** A segment has ended. */
    void segmentEnded() {
        failed.clear();
        hot = 0;
    }

    /** No probe can be put at an address. */
    void refuse(long pc) {
        refused.add(pc);
        hot = 0;
    }

    /** The address that is visited often, if any. */
    OptionalLong address() {
        return hot == 0 ? OptionalLong.empty() : OptionalLong.of(hot);
    }

    /** A probe displaces the instructions that begin in its bytes, which must not be places of other breakpoints. */
    private boolean alone(long pc) {
        return code.keySet().stream().noneMatch(other -> other > pc && other < pc + ProbeAssembler.PATCH_BYTES);
    }

    /** What must hold at an address for any of its breakpoints to be hit, as far as a probe can tell. */
    List<Comparison> comparisons(long pc) {
        List<Breakpoint> there = code.get(pc);
        if (there.size() != 1 || there.getFirst().conditions().size() != 1) {
            return List.of();
        }
        Condition only = there.getFirst().conditions().getFirst();
        return only.needs().stream()
                .limit(ProbeCondition.MAX_COMPARISONS)
                .map(HotConditions::comparison)
                .toList();
    }

    private static Comparison comparison(Equality equality) {
        return switch (equality) {
            case Equality.OfRegister(int register, int width, long value) ->
                width == 8
                        ? new Comparison.RegisterEquals(register, value)
                        : new Comparison.RegisterHalfEquals(register, (int) value);
            case Equality.OfMemory(int base, long displacement, int width, long value) ->
                new Comparison.MemoryEquals(
                        base == Equality.OfMemory.ABSOLUTE ? Comparison.MemoryEquals.ABSOLUTE : base,
                        displacement,
                        width,
                        value);
        };
    }
}
