package dev.eremite.replay.probe;

import dev.eremite.replay.event.Landmark;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.x86.UserRegisters;
import java.util.ArrayList;
import java.util.List;

/**
 * The replayer's way to a landmark: which values a probe at its pc should compare. Each false stop teaches it a register
 * or, if all registers agree, a word that tells that visit from the landmark.
 */
public final class LandmarkSearch {
    /** The trap and resume flags belong to the tracer. */
    private static final long TRACER_FLAGS = 0x1_0100L;

    private static final long STACK_REACH = 1 << 20;

    private static final long FRAME_REACH = 1 << 10;

    private final Landmark landmark;
    private final List<Comparison> learnt = new ArrayList<>();
    private int nextToReplace;

    public LandmarkSearch(Landmark landmark) {
        this.landmark = landmark;
    }

    /** What the probe should compare now. */
    public ProbeCondition condition() {
        // What was learnt last tells most visits apart, and the first test that fails is the last one made.
        return new ProbeCondition(learnt.reversed(), false);
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
     * @param memory the task's memory there
     * @return whether {@link #condition} has changed, so that the probe should be built anew
     */
    public boolean learn(long[] state, ProbeCondition.Words memory) {
        for (int encoding = 0; encoding < 16; encoding++) {
            int register = UserRegisters.indexOf(encoding);
            if (state[register] != landmark.registers()[register]) {
                return add(new Comparison.RegisterEquals(register, landmark.registers()[register]));
            }
        }
        for (Landmark.Word word : landmark.words()) {
            if (memory.at(word.address()).orElse(~word.value()) != word.value()) {
                return add(comparison(word));
            }
        }
        return false;
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

    private boolean add(Comparison test) {
        if (learnt.contains(test)) {
            return false;
        }
        if (learnt.size() < ProbeCondition.MAX_COMPARISONS) {
            learnt.add(test);
        } else {
            learnt.set(nextToReplace, test);
            nextToReplace = (nextToReplace + 1) % ProbeCondition.MAX_COMPARISONS;
        }
        return true;
    }
}
