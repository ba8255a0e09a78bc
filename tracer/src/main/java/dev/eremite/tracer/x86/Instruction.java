package dev.eremite.tracer.x86;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * One decoded instruction. Offsets are in bytes from its first byte.
 *
 * @param address where it lies
 * @param length 1 to 15 bytes, prefixes included
 * @param map the opcode map
 * @param opcode the opcode byte in that map
 * @param opcodeOffset where that byte is
 * @param vector whether VEX, EVEX or XOP encodes it
 * @param rex the REX prefix that counts, or the equivalent bits of VEX and EVEX (W 8, R 4, X 2, B 1); 0 if none
 * @param repeated whether an F2 or F3 prefix is present (a repetition only for string instructions)
 * @param locked whether a LOCK prefix is present
 * @param operandSize size in bytes of a general-purpose operand, 2, 4 or 8, before rules of the single opcode
 * @param modrm the ModRM byte, −1 if there is none
 * @param displacementOffset where the displacement of the memory operand is, −1 if there is none
 * @param displacementSize 0, 1, 4 or 8 bytes
 * @param immediateOffset where the immediate (or the relative target) is, −1 if there is none
 * @param immediateSize 0 to 8 bytes
 * @param memory the ModRM or moffs memory operand, if there is one
 * @param flow what it does to control flow
 * @param target the target of a relative branch or call, 0 for others
 */
public record Instruction(
        long address,
        int length,
        OpcodeMap map,
        int opcode,
        int opcodeOffset,
        boolean vector,
        int rex,
        boolean repeated,
        boolean locked,
        int operandSize,
        int modrm,
        int displacementOffset,
        int displacementSize,
        int immediateOffset,
        int immediateSize,
        Optional<MemoryOperand> memory,
        Flow flow,
        long target)
        implements Decoded {

    /** The address of the instruction after this one. */
    public long nextAddress() {
        return address + length;
    }

    /** Whether a memory operand is relative to the instruction's end. */
    public boolean isRipRelative() {
        return memory.isPresent() && memory.get().isRipRelative();
    }

    /** Whether it is a floating-point instruction of the x87 set, which records its own address in the FPU state. */
    public boolean isX87() {
        return map == OpcodeMap.ONE_BYTE && !vector && opcode >= 0xd8 && opcode <= 0xdf;
    }

    /** Whether it is movs, cmps, stos, lods or scas with a repeat prefix. */
    public boolean repeatsString() {
        boolean string = opcode >= 0xa4 && opcode <= 0xa7 || opcode >= 0xaa && opcode <= 0xaf;
        return repeated && string && !vector && map == OpcodeMap.ONE_BYTE;
    }

    /** Whether it does nothing: nop, its multi-byte forms, and pause. */
    public boolean isNop() {
        if (vector) {
            return false;
        }
        return map == OpcodeMap.ONE_BYTE && opcode == 0x90 && (rex & 1) == 0
                || map == OpcodeMap.MAP_0F && opcode == 0x1f;
    }

    /** The ModRM register field with its extension, 0 to 15; −1 without ModRM. */
    public int registerField() {
        return modrm < 0 ? -1 : modrm >> 3 & 7 | (rex & 4) << 1;
    }

    /** The register that ModRM names in place of a memory operand, 0 to 15; −1 if it does not. */
    public int operandRegister() {
        return modrm < 0xc0 ? -1 : modrm & 7 | (rex & 1) << 3;
    }

    /**
     * The address of the memory operand.
     *
     * @param userRegisters user_regs_struct (27 longs) before the instruction runs
     * @return the linear address; empty if there is no memory operand or it depends on more than these registers
     */
    public OptionalLong effectiveAddress(long[] userRegisters) {
        return memory.isPresent() ? memory.get().address(userRegisters, nextAddress()) : OptionalLong.empty();
    }
}
