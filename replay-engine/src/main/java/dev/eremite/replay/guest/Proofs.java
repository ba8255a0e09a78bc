package dev.eremite.replay.guest;

import dev.eremite.replay.event.RegisterProof;
import dev.eremite.tracer.linux.Reg;

/** Makes register proofs. */
public final class Proofs {
    private static final int[] HASHED = {
        Reg.R15,
        Reg.R14,
        Reg.R13,
        Reg.R12,
        Reg.RBP,
        Reg.RBX,
        Reg.R10,
        Reg.R9,
        Reg.R8,
        Reg.RDX,
        Reg.RSI,
        Reg.RDI,
        Reg.FS_BASE,
        Reg.GS_BASE
    };

    private Proofs() {}

    /** The proof of these registers. rax, rcx, r11 and the flags stay out: entering the kernel changes them. */
    public static RegisterProof of(long[] registers) {
        long hash = 0x9E3779B97F4A7C15L;
        for (int index : HASHED) {
            hash = (hash ^ registers[index]) * 0xff51afd7ed558ccdL;
            hash ^= hash >>> 32;
        }
        return new RegisterProof(registers[Reg.RIP], registers[Reg.RSP], (int) hash);
    }
}
