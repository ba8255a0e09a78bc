package dev.eremite.tracer.x86;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * Whether code overwrites the arithmetic flags before anything reads them. What is not known for certain counts as a
 * reader.
 */
public final class FlagLiveness {
    private static final int CF = 1;
    private static final int PF = 1 << 2;
    private static final int ZF = 1 << 6;
    private static final int SF = 1 << 7;
    private static final int OF = 1 << 11;

    /** CF, PF, AF, ZF, SF and OF as bits of the flags register. */
    public static final int ARITHMETIC_FLAGS = 0x8d5;

    /** What a shift by a constant certainly writes. */
    private static final int SHIFTED = CF | PF | ZF | SF;

    /** Reads a flag, or might. */
    private static final int READS = -1;

    private static final int MAX_INSTRUCTIONS = 24;

    private FlagLiveness() {}

    /**
     * Looks for the instructions after which no flag holds its former value, while none of them reads one.
     *
     * @param pc where to start
     * @param code the instruction at an address, or something undecodable
     * @return the addresses of the instructions from pc to the last that writes flags, in the order in which they run;
     *     empty if a flag may be read
     */
    public static Optional<List<Long>> untilOverwritten(long pc, LongFunction<Decoded> code) {
        List<Long> zone = new ArrayList<>();
        int written = 0;
        long at = pc;
        while (zone.size() < MAX_INSTRUCTIONS && code.apply(at) instanceof Instruction instruction) {
            if (zone.contains(at)) {
                // A loop out of which no jump leads.
                return Optional.empty();
            }
            zone.add(at);
            if (instruction.flow() == Flow.JUMP) {
                at = instruction.target();
                continue;
            }
            int writes = instruction.flow() == Flow.SEQUENTIAL ? written(instruction) : READS;
            if (writes == READS) {
                return Optional.empty();
            }
            written |= writes;
            if (written == ARITHMETIC_FLAGS) {
                return Optional.of(zone);
            }
            at = instruction.nextAddress();
        }
        return Optional.empty();
    }

    private static int written(Instruction instruction) {
        int opcode = instruction.opcode();
        if (instruction.vector()) {
            return instruction.map() == OpcodeMap.MAP_0F && isVectorMove(opcode) ? 0 : READS;
        }
        return switch (instruction.map()) {
            case ONE_BYTE -> oneByte(instruction, opcode);
            case MAP_0F -> map0f(opcode);
            case MAP_0F38, MAP_0F3A, MAP_5, MAP_6, XOP_8, XOP_9, XOP_A -> READS;
        };
    }

    private static int oneByte(Instruction instruction, int opcode) {
        int kind = instruction.modrm() >> 3 & 7;
        if (opcode < 0x40) {
            return (opcode & 7) < 6 ? arithmetic(opcode >> 3) : READS;
        }
        return switch (opcode) {
            case 0x80, 0x81, 0x83 -> arithmetic(kind);
            case 0x84, 0x85, 0xa8, 0xa9 -> ARITHMETIC_FLAGS;
            case 0xf6, 0xf7 -> kind == 2 ? 0 : kind < 4 ? ARITHMETIC_FLAGS : READS;
            case 0xfe, 0xff -> kind < 2 ? ARITHMETIC_FLAGS & ~CF : kind == 6 ? 0 : READS;
            case 0xd0, 0xd1 -> kind >= 4 ? SHIFTED : READS;
            case 0x69, 0x6b -> CF | OF;
            case 0x63, 0x68, 0x6a, 0x8d, 0x98, 0x99, 0xc6, 0xc7 -> 0;
            default -> {
                boolean move = opcode >= 0x50 && opcode <= 0x5f
                        || opcode >= 0x86 && opcode <= 0x8b
                        || opcode >= 0x90 && opcode <= 0x97
                        || opcode >= 0xb0 && opcode <= 0xbf;
                yield move ? 0 : READS;
            }
        };
    }

    /** add, or, adc, sbb, and, sub, xor, cmp by their number. */
    private static int arithmetic(int kind) {
        boolean readsCarry = kind == 2 || kind == 3;
        return readsCarry ? READS : ARITHMETIC_FLAGS;
    }

    private static int map0f(int opcode) {
        boolean quiet = opcode == 0x1f
                || opcode == 0xb6
                || opcode == 0xb7
                || opcode == 0xbe
                || opcode == 0xbf
                || opcode >= 0xc8 && opcode <= 0xcf
                || isVectorMove(opcode);
        if (quiet) {
            return 0;
        }
        return opcode == 0xaf ? CF | OF : READS;
    }

    /** SSE and AVX instructions of map 0F that touch no flags. */
    private static boolean isVectorMove(int opcode) {
        return opcode >= 0x10 && opcode <= 0x17
                || opcode >= 0x28 && opcode <= 0x2d
                || opcode >= 0x51 && opcode <= 0x7f && opcode != 0x77 && opcode != 0x78 && opcode != 0x79
                || opcode >= 0xd1 && opcode <= 0xfe;
    }
}
