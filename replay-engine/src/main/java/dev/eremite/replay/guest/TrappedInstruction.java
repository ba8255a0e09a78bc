package dev.eremite.replay.guest;

import dev.eremite.replay.event.Event.Instruction.Kind;
import dev.eremite.tracer.linux.Tracee;

/** Recognises the instructions that are made to fault: RDTSC, RDTSCP (prctl(2) PR_SET_TSC) and CPUID (arch_prctl(2)). */
public enum TrappedInstruction {
    RDTSC(Kind.RDTSC, 2),
    RDTSCP(Kind.RDTSCP, 3),
    CPUID(Kind.CPUID, 2);

    private final Kind kind;
    private final int length;

    TrappedInstruction(Kind kind, int length) {
        this.kind = kind;
        this.length = length;
    }

    /** As named in the log. */
    public Kind kind() {
        return kind;
    }

    /** Bytes of the instruction. */
    public int length() {
        return length;
    }

    /** The instruction at the address, or null when it is another. */
    public static TrappedInstruction at(Tracee tracee, long address) {
        byte[] code = tracee.memory().read(address, 3);
        if (code.length < 2 || code[0] != 0x0f) {
            return null;
        }
        if (code[1] == 0x31) {
            return RDTSC;
        }
        if (code[1] == (byte) 0xa2) {
            return CPUID;
        }
        return code.length == 3 && code[1] == 0x01 && code[2] == (byte) 0xf9 ? RDTSCP : null;
    }
}
