package dev.eremite.replay.record;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A classic BPF program as seccomp(2) takes it, run by the recorder: what it says about a call. */
final class FilterProgram {
    /** Most instructions that the kernel takes (BPF_MAXINSNS). */
    static final int MOST_INSTRUCTIONS = 4096;

    private static final int WORDS = 16;
    private static final int DATA_LENGTH = 64;
    private static final int CLASS_MASK = 7;
    private static final int LD = 0;
    private static final int LDX = 1;
    private static final int ST = 2;
    private static final int STX = 3;
    private static final int ALU = 4;
    private static final int JMP = 5;
    private static final int RET = 6;
    private static final int MODE_MASK = 0xe0;
    private static final int ABS = 0x20;
    private static final int IMM = 0x00;
    private static final int MEM = 0x60;
    private static final int LEN = 0x80;
    private static final int OPERATION_MASK = 0xf0;
    private static final int FROM_X = 0x08;
    private static final int RETURN_A = 0x10;
    private static final int TXA = 0x80;

    private final int[] code;
    private final int[] jumps;
    private final int[] operands;

    private FilterProgram(int length) {
        code = new int[length];
        jumps = new int[length];
        operands = new int[length];
    }

    /**
     * Takes an array of struct sock_filter.
     *
     * @return null when the kernel would refuse it (EINVAL)
     */
    static FilterProgram parse(byte[] bytes) {
        int length = bytes.length / 8;
        if (length == 0 || length > MOST_INSTRUCTIONS) {
            return null;
        }
        FilterProgram program = new FilterProgram(length);
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < length; i++) {
            program.code[i] = buffer.getShort() & 0xffff;
            program.jumps[i] = buffer.getShort() & 0xffff;
            program.operands[i] = buffer.getInt();
            if (!program.valid(i, length)) {
                return null;
            }
        }
        return (program.code[length - 1] & CLASS_MASK) == RET ? program : null;
    }

    private boolean valid(int at, int length) {
        int left = length - 1 - at;
        int operand = operands[at];
        return switch (code[at] & CLASS_MASK) {
            case LD ->
                switch (code[at] & MODE_MASK) {
                    case ABS -> code[at] == ABS && operand >= 0 && operand <= DATA_LENGTH - 4 && operand % 4 == 0;
                    case MEM -> operand >= 0 && operand < WORDS;
                    case IMM, LEN -> true;
                    default -> false;
                };
            case LDX, ST, STX ->
                (code[at] & MODE_MASK) != MEM && (code[at] & CLASS_MASK) == LDX || operand >= 0 && operand < WORDS;
            case JMP ->
                (code[at] & OPERATION_MASK) == 0
                        ? operand >= 0 && operand < left
                        : (jumps[at] & 0xff) < left && jumps[at] >> 8 < left;
            case ALU, RET -> true;
            default -> (code[at] & OPERATION_MASK & 0x80) == 0 || code[at] == (7 | TXA);
        };
    }

    /**
     * Judges a call.
     *
     * @param data struct seccomp_data, 64 bytes, little-endian
     * @return SECCOMP_RET_… with its data
     */
    int run(ByteBuffer data) {
        int a = 0;
        int x = 0;
        int[] memory = new int[WORDS];
        for (int pc = 0; ; pc++) {
            int operand = operands[pc];
            switch (code[pc] & CLASS_MASK) {
                case LD ->
                    a = switch (code[pc] & MODE_MASK) {
                        case ABS -> data.getInt(operand);
                        case MEM -> memory[operand];
                        case LEN -> DATA_LENGTH;
                        default -> operand;
                    };
                case LDX ->
                    x = switch (code[pc] & MODE_MASK) {
                        case MEM -> memory[operand];
                        case LEN -> DATA_LENGTH;
                        default -> operand;
                    };
                case ST -> memory[operand] = a;
                case STX -> memory[operand] = x;
                case ALU -> a = compute(code[pc] & OPERATION_MASK, a, (code[pc] & FROM_X) != 0 ? x : operand);
                case JMP -> {
                    int other = (code[pc] & FROM_X) != 0 ? x : operand;
                    pc += switch (code[pc] & OPERATION_MASK) {
                        case 0x00 -> operand;
                        case 0x10 -> branch(pc, a == other);
                        case 0x20 -> branch(pc, Integer.compareUnsigned(a, other) > 0);
                        case 0x30 -> branch(pc, Integer.compareUnsigned(a, other) >= 0);
                        default -> branch(pc, (a & other) != 0);
                    };
                }
                case RET -> {
                    return (code[pc] & 0x18) == RETURN_A ? a : operand;
                }
                default -> {
                    if ((code[pc] & TXA) != 0) {
                        a = x;
                    } else {
                        x = a;
                    }
                }
            }
        }
    }

    private int branch(int pc, boolean taken) {
        return taken ? jumps[pc] & 0xff : jumps[pc] >> 8;
    }

    private static int compute(int operation, int a, int b) {
        return switch (operation) {
            case 0x00 -> a + b;
            case 0x10 -> a - b;
            case 0x20 -> a * b;
            case 0x30 -> b == 0 ? 0 : Integer.divideUnsigned(a, b);
            case 0x40 -> a | b;
            case 0x50 -> a & b;
            case 0x60 -> a << b;
            case 0x70 -> a >>> b;
            case 0x80 -> -a;
            default -> a ^ b;
        };
    }
}
