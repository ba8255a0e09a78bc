package dev.eremite.tracer.x86;

/**
 * The facts about one encoding that the tables need; filled in by the decoder as it goes.
 *
 * <p>{@code simdPrefix} is the mandatory prefix: 0 none, 1 for 66, 2 for F3, 3 for F2 (the pp field of VEX).
 */
final class Encoding {
    OpcodeMap map = OpcodeMap.ONE_BYTE;
    int opcode;
    int rex;
    boolean operandPrefix;
    boolean addressPrefix;
    boolean lock;
    boolean repeat;
    boolean repeatNot;
    MemoryOperand.Segment segment = MemoryOperand.Segment.NONE;
    boolean vex;
    boolean evex;
    boolean wide;
    boolean broadcast;
    boolean evexIndexHigh;
    int vectorBytes = 16;
    int simdPrefix;
    int modrm = -1;

    int mod() {
        return modrm >> 6;
    }

    int reg() {
        return modrm >> 3 & 7;
    }

    int rm() {
        return modrm & 7;
    }

    boolean memory() {
        return modrm >= 0 && modrm < 0xc0;
    }

    /** Size in bytes of a general-purpose operand of an opcode that follows the operand-size rules. */
    int operandSize() {
        if (wide) {
            return 8;
        }
        return operandPrefix ? 2 : 4;
    }

    boolean rexB() {
        return (rex & 1) != 0;
    }

    boolean rexX() {
        return (rex & 2) != 0;
    }
}
