package dev.eremite.replay.probe;

import dev.eremite.replay.event.Landmark;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.x86.UserRegisters;
import java.util.ArrayList;
import java.util.List;

/**
 * The replayer's way to a landmark: which values a probe at its pc should compare. It starts with the landmark's words;
 * each false stop teaches it a register that tells that visit from the landmark.
 */
public final class LandmarkSearch {
    /** The trap and resume flags belong to the tracer. */
    private static final long TRACER_FLAGS = 0x1_0100L;

    /** The others are compared at each stop. */
    private static final int MAX_PROBED_WORDS = 2;

    private final Landmark landmark;
    private final List<Comparison> words = new ArrayList<>();
    private final List<Comparison.RegisterEquals> registers = new ArrayList<>();
    private int nextToReplace;

    public LandmarkSearch(Landmark landmark) {
        this.landmark = landmark;
        landmark.words().stream()
                .limit(MAX_PROBED_WORDS)
                .map(w -> new Comparison.MemoryEquals(Comparison.MemoryEquals.ABSOLUTE, w.address(), 8, w.value()))
                .forEach(words::add);
    }

    /** What the probe should compare now. */
    public ProbeCondition condition() {
        List<Comparison> all = new ArrayList<>(registers);
        all.addAll(words);
        return new ProbeCondition(all, false);
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
     * @return whether {@link #condition} has changed, so that the probe should be built anew
     */
    public boolean learn(long[] state) {
        for (int encoding = 0; encoding < 16; encoding++) {
            int register = UserRegisters.indexOf(encoding);
            if (state[register] != landmark.registers()[register]) {
                return add(new Comparison.RegisterEquals(register, landmark.registers()[register]));
            }
        }
        return false;
    }

    private boolean add(Comparison.RegisterEquals test) {
        if (registers.contains(test)) {
            return false;
        }
        int room = ProbeCondition.MAX_COMPARISONS - words.size();
        if (registers.size() < room) {
            registers.add(test);
        } else {
            registers.set(nextToReplace, test);
            nextToReplace = (nextToReplace + 1) % room;
        }
        return true;
    }
}
