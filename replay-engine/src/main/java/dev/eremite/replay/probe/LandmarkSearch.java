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

    private final Landmark landmark;
    private final List<Comparison> learnt = new ArrayList<>();
    private int nextToReplace;

    public LandmarkSearch(Landmark landmark) {
        this.landmark = landmark;
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
                return add(new Comparison.MemoryEquals(
                        Comparison.MemoryEquals.ABSOLUTE, word.address(), Long.BYTES, word.value()));
            }
        }
        return false;
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
