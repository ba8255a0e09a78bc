package dev.eremite.replay.probe;

import dev.eremite.replay.event.Landmark;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.x86.UserRegisters;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The replayer's way to a landmark: which values a probe at its pc should compare. It learns from each false stop, and
 * chooses the few registers and words that would have told most of these stops from the landmark.
 */
public final class LandmarkSearch {
    /** The trap and resume flags belong to the tracer. */
    private static final long TRACER_FLAGS = 0x1_0100L;

    /** Words that a probe may compare; the others are compared at each stop. */
    private static final int MAX_WORDS = 48;

    private static final int PAGE = 4096;

    /** Kinds of false stops that are remembered. */
    private static final int MAX_KINDS = 256;

    private static final long STACK_REACH = 1 << 20;

    private static final long FRAME_REACH = 1 << 10;

    private final Landmark landmark;
    private final List<Comparison> candidates = new ArrayList<>();

    /** How often the values differed in which ways; bit n stands for candidate n. */
    private final Map<BitSet, Integer> falseStops = new HashMap<>();

    private List<Comparison> learnt = List.of();

    public LandmarkSearch(Landmark landmark) {
        this.landmark = landmark;
        for (int encoding = 0; encoding < 16; encoding++) {
            int register = UserRegisters.indexOf(encoding);
            candidates.add(new Comparison.RegisterEquals(register, landmark.registers()[register]));
        }
        // Words outside the stack are there because the code ahead uses them, such as a counter; of the stack all near
        // words. The first of a page often stands for the page only.
        Comparator<Landmark.Word> order = Comparator.comparing(LandmarkSearch::startsPage);
        landmark.words().stream()
                .sorted(order.thenComparing(this::isOfStack))
                .limit(MAX_WORDS)
                .map(this::comparison)
                .forEach(candidates::add);
        for (int half = 0; half < landmark.vectors().length; half++) {
            candidates.add(new Comparison.VectorEquals(half, landmark.vectors()[half]));
        }
    }

    private static boolean startsPage(Landmark.Word word) {
        return (word.address() & PAGE - 1) == 0;
    }

    private boolean isOfStack(Landmark.Word word) {
        return Math.abs(word.address() - landmark.registers()[Reg.RSP]) < STACK_REACH;
    }

    /** What the probe should compare now. */
    public ProbeCondition condition() {
        return new ProbeCondition(learnt, false);
    }

    /**
     * Whether a state at the landmark's pc agrees with the landmark in all registers and words; the fingerprint is the
     * caller's to compare.
     *
     * @param state user_regs_struct as the guest sees it ({@link Probe#normalise})
     * @param memory the task's memory
     */
    public boolean matches(long[] state, ProbeCondition.Words memory) {
        for (int i = 0; i < Reg.COUNT; i++) {
            long different = state[i] ^ landmark.registers()[i];
            if (i != Reg.ORIG_RAX && (i == Reg.EFLAGS ? different & ~TRACER_FLAGS : different) != 0) {
                return false;
            }
        }
        return landmark.words().stream().allMatch(w -> memory.at(w.address()).orElse(~w.value()) == w.value());
    }

    /**
     * Learns from a stop that was not the landmark.
     *
     * @param state the registers at the false stop
     * @param vectors the halves of xmm0 to xmm15 there; not asked for where the landmark does not know its own
     * @param memory the task's memory there
     * @return whether {@link #condition} has changed, so that the probe should be built anew
     */
    public boolean learn(long[] state, Supplier<long[]> vectors, ProbeCondition.Words memory) {
        if (isTold(state, memory)) {
            return false;
        }
        long[] halves = landmark.vectors().length == 0 ? landmark.vectors() : vectors.get();
        BitSet differences = new BitSet();
        for (int i = 0; i < candidates.size(); i++) {
            ProbeCondition one = new ProbeCondition(List.of(candidates.get(i)), false);
            differences.set(i, !one.holds(state, halves, memory));
        }
        if (differences.isEmpty() || falseStops.size() >= MAX_KINDS && !falseStops.containsKey(differences)) {
            return false;
        }
        falseStops.merge(differences, 1, Integer::sum);
        List<Comparison> better = mostTelling();
        if (better.equals(learnt)) {
            return false;
        }
        learnt = better;
        return true;
    }

    /** Whether the condition tells a state from the landmark already, by more than vectors, which are dear to ask for. */
    private boolean isTold(long[] state, ProbeCondition.Words memory) {
        return learnt.stream()
                .filter(comparison -> !(comparison instanceof Comparison.VectorEquals))
                .anyMatch(comparison ->
                        !new ProbeCondition(List.of(comparison), false).holds(state, new long[0], memory));
    }

    /**
     * Learns that a probe could not read a word at some visit: the register that leads to it from the landmark holds
     * something else there. Words are compared at their addresses from now on.
     *
     * @return whether {@link #condition} has changed, so that the probe should be built anew
     */
    public boolean wordUnreadable() {
        if (!candidates.stream().anyMatch(LandmarkSearch::isRelative)) {
            return false;
        }
        candidates.replaceAll(this::absolute);
        learnt = learnt.stream().map(this::absolute).toList();
        falseStops.clear();
        return true;
    }

    private static boolean isRelative(Comparison comparison) {
        return comparison instanceof Comparison.MemoryEquals word && word.base() != Comparison.MemoryEquals.ABSOLUTE;
    }

    private Comparison absolute(Comparison comparison) {
        if (!(comparison instanceof Comparison.MemoryEquals word) || !isRelative(word)) {
            return comparison;
        }
        long address = landmark.registers()[word.base()] + word.displacement();
        return new Comparison.MemoryEquals(Comparison.MemoryEquals.ABSOLUTE, address, word.width(), word.value());
    }

    /** Values that together tell as many of the false stops from the landmark as a few can, the most telling first. */
    private List<Comparison> mostTelling() {
        List<Comparison> chosen = new ArrayList<>();
        Map<BitSet, Integer> left = new HashMap<>(falseStops);
        while (!left.isEmpty() && chosen.size() < ProbeCondition.MAX_COMPARISONS) {
            int best = -1;
            long most = 0;
            for (int i = 0; i < candidates.size(); i++) {
                long told = 0;
                for (Map.Entry<BitSet, Integer> kind : left.entrySet()) {
                    told += kind.getKey().get(i) ? kind.getValue() : 0;
                }
                if (told > most) {
                    most = told;
                    best = i;
                }
            }
            int bit = best;
            chosen.add(candidates.get(best));
            left.keySet().removeIf(differences -> differences.get(bit));
        }
        return chosen;
    }

    /**
     * Words of the stack are compared relative to its registers, as the code itself names them: that is shorter, and
     * processors forward from a store to a load of the same form faster.
     */
    private Comparison comparison(Landmark.Word word) {
        int base = Comparison.MemoryEquals.ABSOLUTE;
        long displacement = word.address();
        for (int register : new int[] {Reg.RSP, Reg.RBP}) {
            long distance = word.address() - landmark.registers()[register];
            if (Math.abs(distance) < (register == Reg.RSP ? STACK_REACH : FRAME_REACH)) {
                base = register;
                displacement = distance;
            }
        }
        return new Comparison.MemoryEquals(base, displacement, Long.BYTES, word.value());
    }
}
