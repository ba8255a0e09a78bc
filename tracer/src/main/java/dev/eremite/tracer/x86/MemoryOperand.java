package dev.eremite.tracer.x86;

import dev.eremite.tracer.linux.Reg;
import java.util.OptionalLong;

/**
 * The memory operand that ModRM (or a moffs address) names.
 *
 * @param base number of the base register (0–15), {@link #NONE}, or {@link #RIP}
 * @param index number of the index register (0–15) or {@link #NONE}
 * @param scale 1, 2, 4 or 8
 * @param displacement in bytes, sign-extended, and multiplied where EVEX compresses it
 * @param segment which segment base is added
 * @param addressBits 64, or 32 where the address-size prefix truncates the sum
 * @param width bytes accessed; 0 where the decoder does not know
 * @param access what may happen to the memory
 * @param exact false where the address depends on more than these registers (vector index, bt with a register, an EVEX
 *     displacement of unknown scale)
 */
public record MemoryOperand(
        int base,
        int index,
        int scale,
        long displacement,
        Segment segment,
        int addressBits,
        int width,
        Access access,
        boolean exact) {

    /** No register. */
    public static final int NONE = -1;
    /** The base is the address of the next instruction. */
    public static final int RIP = 16;

    /** The segment whose base is added to the address; the others have base 0 in 64-bit mode. */
    public enum Segment {
        NONE,
        FS,
        GS
    }

    /** What an instruction may do to its memory operand. */
    public enum Access {
        /** The address is only computed or hinted at: lea, nop, prefetch. */
        NONE,
        /** Read only. */
        LOAD,
        /** Written, or read and written, or not known to be read only. */
        STORE
    }

    /** Whether the operand is relative to the instruction's end. */
    public boolean isRipRelative() {
        return base == RIP;
    }

    /**
     * The operand's address.
     *
     * @param registers user_regs_struct before the instruction runs
     * @param nextAddress address of the instruction after this one, for rip-relative operands
     * @return the linear address, or empty if the operand is not {@link #exact}
     */
    public OptionalLong address(long[] registers, long nextAddress) {
        if (!exact) {
            return OptionalLong.empty();
        }
        long sum = displacement;
        if (base == RIP) {
            sum += nextAddress;
        } else if (base != NONE) {
            sum += registers[UserRegisters.indexOf(base)];
        }
        if (index != NONE) {
            sum += registers[UserRegisters.indexOf(index)] * scale;
        }
        if (addressBits == 32) {
            sum &= 0xffff_ffffL;
        }
        return OptionalLong.of(
                switch (segment) {
                    case NONE -> sum;
                    case FS -> sum + registers[Reg.FS_BASE];
                    case GS -> sum + registers[Reg.GS_BASE];
                });
    }
}
