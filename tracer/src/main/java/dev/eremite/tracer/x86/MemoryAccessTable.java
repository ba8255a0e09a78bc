package dev.eremite.tracer.x86;

import dev.eremite.tracer.x86.MemoryOperand.Access;
import java.util.BitSet;

/** How wide an instruction's ModRM memory operand is, and whether it may be written. */
final class MemoryAccessTable {
    /** Opcodes of map 0F that write their memory operand whatever their prefix. */
    private static final BitSet STORES_0F =
            opcodes("11 13 17 29 2b 7f ab a4 a5 ac ad b0 b1 b3 bb c0 c1 c3 c7 d6 e7 ae 00 01");

    private static final BitSet STORES_0F38 = opcodes("2e 2f 63 8a 8b 8e a0 a1 a2 a3 c6 c7 f1 f5 f6 f8 f9 fa fb fc");
    private static final BitSet STORES_0F3A = opcodes("14 15 16 17 19 39 1b 3b 1d");

    private MemoryAccessTable() {}

    static Access access(Encoding e) {
        return switch (e.map) {
            case ONE_BYTE -> oneByteAccess(e);
            case MAP_0F -> access0f(e);
            case MAP_0F38 -> access0f38(e);
            case MAP_0F3A -> STORES_0F3A.get(e.opcode) ? Access.STORE : Access.LOAD;
            case MAP_5 -> e.opcode == 0x11 || e.opcode == 0x7e ? Access.STORE : Access.LOAD;
            case MAP_6, XOP_8, XOP_9, XOP_A -> Access.LOAD;
        };
    }

    private static BitSet opcodes(String list) {
        BitSet set = new BitSet(256);
        for (String opcode : list.split(" ")) {
            set.set(Integer.parseInt(opcode, 16));
        }
        return set;
    }

    private static Access storeIf(boolean stores) {
        return stores ? Access.STORE : Access.LOAD;
    }

    private static Access oneByteAccess(Encoding e) {
        int opcode = e.opcode;
        if (opcode < 0x40) {
            return storeIf((opcode & 2) == 0 && opcode < 0x38);
        }
        return switch (opcode) {
            case 0x8d -> Access.NONE;
            case 0x80, 0x81, 0x83 -> storeIf(e.reg() != 7);
            case 0x63, 0x69, 0x6b, 0x84, 0x85, 0x8a, 0x8b, 0x8e -> Access.LOAD;
            case 0xd8, 0xdc, 0xda, 0xde -> Access.LOAD;
            case 0xd9 -> storeIf(e.reg() == 2 || e.reg() == 3 || e.reg() >= 6);
            case 0xdb -> storeIf(e.reg() != 0 && e.reg() != 5);
            case 0xdd -> storeIf(e.reg() != 0 && e.reg() != 4);
            case 0xdf -> storeIf(e.reg() != 0 && e.reg() != 4 && e.reg() != 5);
            case 0xf6, 0xf7 -> storeIf(e.reg() == 2 || e.reg() == 3);
            case 0xff -> storeIf(e.reg() < 2);
            default -> Access.STORE;
        };
    }

    private static Access access0f(Encoding e) {
        int opcode = e.opcode;
        if (opcode == 0x0d || opcode >= 0x18 && opcode <= 0x1f) {
            return Access.NONE;
        }
        if (opcode >= 0x90 && opcode <= 0x9f) {
            // kmov loads with 90 and stores with 91
            return storeIf(!e.vex || opcode == 0x91);
        }
        return switch (opcode) {
            case 0x7e -> storeIf(e.simdPrefix != 2);
            case 0xba -> storeIf(e.reg() != 4);
            case 0x01 -> storeIf(e.reg() < 2 || e.reg() == 4 || e.reg() == 5);
            case 0xae -> storeIf(e.reg() != 1 && e.reg() != 2 && e.reg() != 5);
            case 0x78 -> storeIf(!e.evex);
            default -> storeIf(STORES_0F.get(opcode));
        };
    }

    private static Access access0f38(Encoding e) {
        int opcode = e.opcode;
        if (e.evex && e.simdPrefix == 2 && opcode >= 0x10 && opcode < 0x36 && (opcode & 15) < 6) {
            // vpmov to narrower elements
            return Access.STORE;
        }
        if (opcode >= 0xd8 && opcode <= 0xdf) {
            // AES; the key locker variants (F3) may report through memory
            return storeIf(e.simdPrefix == 2);
        }
        return storeIf(STORES_0F38.get(opcode) || e.vex && opcode >= 0xe0 && opcode <= 0xef);
    }

    /** Width in bytes, 0 if not known here. */
    static int width(Encoding e) {
        if (e.evex) {
            return EvexTuple.factor(e);
        }
        return switch (e.map) {
            case ONE_BYTE -> oneByteWidth(e);
            case MAP_0F -> width0f(e);
            case MAP_0F38, MAP_0F3A, MAP_5, MAP_6, XOP_8, XOP_9, XOP_A -> 0;
        };
    }

    private static int oneByteWidth(Encoding e) {
        int opcode = e.opcode;
        return switch (opcode) {
            case 0x63 -> 4;
            case 0x69, 0x6b -> e.operandSize();
            case 0x8c, 0x8e -> 2;
            case 0x8d -> 0;
            case 0x8f -> 8;
            case 0xff -> e.reg() < 2 ? e.operandSize() : e.reg() == 3 || e.reg() == 5 ? 0 : 8;
            case 0xd8, 0xd9, 0xda, 0xdb, 0xdc, 0xdd, 0xde, 0xdf -> x87Width(e);
            default -> (opcode & 1) == 0 ? 1 : e.operandSize();
        };
    }

    private static int x87Width(Encoding e) {
        int reg = e.reg();
        return switch (e.opcode) {
            case 0xd8, 0xda -> 4;
            case 0xd9 -> reg < 4 ? 4 : reg == 5 || reg == 7 ? 2 : 28;
            case 0xdb -> reg < 4 ? 4 : 10;
            case 0xdc -> 8;
            case 0xdd -> reg < 4 ? 8 : reg == 7 ? 2 : 108;
            case 0xde -> 2;
            default -> reg < 4 ? 2 : reg == 5 || reg == 7 ? 8 : 10;
        };
    }

    private static int scalarByPrefix(Encoding e) {
        return switch (e.simdPrefix) {
            case 2 -> 4;
            case 3 -> 8;
            default -> e.vectorBytes;
        };
    }

    private static int mmxOrVector(Encoding e) {
        return e.vex || e.simdPrefix != 0 ? e.vectorBytes : 8;
    }

    private static int width0f(Encoding e) {
        int opcode = e.opcode;
        return switch (opcode) {
            case 0x10, 0x11, 0x51, 0x52, 0x53, 0x58, 0x59, 0x5c, 0x5d, 0x5e, 0x5f, 0xc2 -> scalarByPrefix(e);
            case 0x12, 0x16 -> e.simdPrefix == 2 ? e.vectorBytes : e.vectorBytes == 32 && e.simdPrefix == 3 ? 32 : 8;
            case 0x13, 0x17, 0xd6, 0x2c, 0x2d, 0x5a, 0xe6, 0x2a -> conversionWidth(e);
            case 0x14, 0x15, 0x28, 0x29, 0x2b, 0x54, 0x55, 0x56, 0x57, 0x5b, 0xc6, 0x7c, 0x7d, 0xd0, 0xf0 ->
                e.vectorBytes;
            case 0x2e, 0x2f -> e.simdPrefix == 1 ? 8 : 4;
            case 0x60, 0x61, 0x62 -> e.vex || e.simdPrefix != 0 ? e.vectorBytes : 4;
            case 0x6e -> e.wide ? 8 : 4;
            case 0x7e -> e.simdPrefix == 2 || e.wide ? 8 : 4;
            case 0xb0, 0xc0, 0xb6, 0xbe -> 1;
            case 0xb7, 0xbf, 0xc4 -> 2;
            case 0xaf, 0xb1, 0xc1, 0xc3, 0xb8, 0xbc, 0xbd, 0xa4, 0xa5, 0xac, 0xad, 0xba -> e.operandSize();
            case 0xc7 -> e.reg() == 1 ? (e.wide ? 16 : 8) : 0;
            case 0xd1, 0xd2, 0xd3, 0xe1, 0xe2, 0xf1, 0xf2, 0xf3 -> e.vex || e.simdPrefix != 0 ? 16 : 8;
            default -> rowWidth0f(e);
        };
    }

    private static int conversionWidth(Encoding e) {
        return switch (e.opcode) {
            case 0x2a -> e.simdPrefix < 2 ? 8 : e.wide ? 8 : 4;
            case 0x2c, 0x2d -> e.simdPrefix == 1 ? 16 : e.simdPrefix == 2 ? 4 : 8;
            case 0x5a -> e.simdPrefix == 0 ? e.vectorBytes / 2 : scalarByPrefix(e);
            case 0xe6 -> e.simdPrefix == 2 ? e.vectorBytes / 2 : e.vectorBytes;
            default -> 8;
        };
    }

    private static int rowWidth0f(Encoding e) {
        int row = e.opcode >> 4;
        return switch (row) {
            case 4 -> e.vex ? 0 : e.operandSize();
            case 9 -> e.vex ? 0 : 1;
            case 6, 7 -> e.opcode == 0x78 || e.opcode == 0x79 ? 0 : mmxOrVector(e);
            case 0xd, 0xe, 0xf -> e.opcode == 0xff ? 0 : mmxOrVector(e);
            default -> 0;
        };
    }
}
