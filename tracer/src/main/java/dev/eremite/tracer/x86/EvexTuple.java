package dev.eremite.tracer.x86;

/**
 * The factor N by which EVEX multiplies an 8-bit displacement (Intel SDM volume 2, section 2.7.5, "Compressed
 * Displacement").
 */
final class EvexTuple {
    private EvexTuple() {}

    /** N in bytes, or 0 where this table does not know it. */
    static int factor(Encoding e) {
        return switch (e.map) {
            case MAP_0F -> map0f(e);
            case MAP_0F38 -> map0f38(e);
            case MAP_0F3A -> map0f3a(e);
            case ONE_BYTE, MAP_5, MAP_6, XOP_8, XOP_9, XOP_A -> 0;
        };
    }

    private static int element(Encoding e) {
        return e.wide ? 8 : 4;
    }

    private static int full(Encoding e) {
        return e.broadcast ? element(e) : e.vectorBytes;
    }

    private static int half(Encoding e) {
        return e.broadcast ? 4 : e.vectorBytes / 2;
    }

    private static int scalarByPrefix(Encoding e) {
        return switch (e.simdPrefix) {
            case 2 -> 4;
            case 3 -> 8;
            default -> full(e);
        };
    }

    private static int map0f(Encoding e) {
        return switch (e.opcode) {
            case 0x10, 0x11, 0x51, 0x58, 0x59, 0x5c, 0x5d, 0x5e, 0x5f, 0xc2 -> scalarByPrefix(e);
            case 0x12 ->
                switch (e.simdPrefix) {
                    case 2 -> e.vectorBytes;
                    case 3 -> e.vectorBytes == 16 ? 8 : e.vectorBytes;
                    default -> 8;
                };
            case 0x16 -> e.simdPrefix == 2 ? e.vectorBytes : 8;
            case 0x13, 0x17, 0xd6 -> 8;
            case 0x2a, 0x6e -> element(e);
            case 0x2c, 0x2d -> e.simdPrefix == 3 ? 8 : 4;
            case 0x2e, 0x2f -> e.simdPrefix == 1 ? 8 : 4;
            case 0x5a -> e.simdPrefix == 0 ? half(e) : scalarByPrefix(e);
            case 0x7e -> e.simdPrefix == 2 ? 8 : element(e);
            case 0x78, 0x79 ->
                switch (e.simdPrefix) {
                    case 0 -> full(e);
                    case 1 -> e.wide ? full(e) : half(e);
                    case 2 -> 4;
                    default -> 8;
                };
            case 0x7a -> e.simdPrefix != 3 && !e.wide ? half(e) : full(e);
            case 0x7b -> e.simdPrefix == 1 ? (e.wide ? full(e) : half(e)) : element(e);
            case 0xe6 -> e.simdPrefix == 2 && !e.wide ? half(e) : full(e);
            case 0xd1, 0xd2, 0xd3, 0xe1, 0xe2, 0xf1, 0xf2, 0xf3 -> 16;
            case 0xc4 -> 2;
            default -> full(e);
        };
    }

    private static int map0f38(Encoding e) {
        boolean f3 = e.simdPrefix == 2;
        return switch (e.opcode) {
            case 0x10 -> f3 ? e.vectorBytes / 2 : full(e);
            case 0x11, 0x14 -> f3 ? e.vectorBytes / 4 : full(e);
            case 0x12 -> f3 ? e.vectorBytes / 8 : full(e);
            case 0x13 -> e.vectorBytes / 2;
            case 0x15 -> f3 ? e.vectorBytes / 2 : full(e);
            case 0x20, 0x23, 0x25, 0x30, 0x33, 0x35 -> e.vectorBytes / 2;
            case 0x21, 0x24, 0x31, 0x34 -> e.vectorBytes / 4;
            case 0x22, 0x32 -> e.vectorBytes / 8;
            case 0x18, 0x58 -> 4;
            case 0x19, 0x59 -> 8;
            case 0x1a, 0x5a -> 16;
            case 0x1b, 0x5b -> 32;
            case 0x78 -> 1;
            case 0x79 -> 2;
            case 0x62, 0x63 -> e.wide ? 2 : 1;
            case 0x2d, 0x43, 0x4d, 0x4f, 0xcb, 0xcd, 0x88, 0x89, 0x8a, 0x8b -> element(e);
            case 0x99, 0x9d, 0x9f, 0xa9, 0xad, 0xaf, 0xb9, 0xbb, 0xbd, 0xbf -> element(e);
            case 0x9b, 0xab -> e.simdPrefix == 3 ? 16 : element(e);
            case 0x9a, 0xaa, 0x52, 0x53 -> e.simdPrefix == 3 ? 16 : full(e);
            case 0x90, 0x91, 0x92, 0x93, 0xa0, 0xa1, 0xa2, 0xa3, 0xc6, 0xc7 -> element(e);
            default -> full(e);
        };
    }

    private static int map0f3a(Encoding e) {
        return switch (e.opcode) {
            case 0x0a, 0x17, 0x21 -> 4;
            case 0x0b -> 8;
            case 0x14, 0x20 -> 1;
            case 0x15 -> 2;
            case 0x16, 0x22, 0x27, 0x51, 0x55, 0x57, 0x67 -> element(e);
            case 0x18, 0x19, 0x38, 0x39 -> 16;
            case 0x1a, 0x1b, 0x3a, 0x3b -> 32;
            case 0x1d -> e.vectorBytes / 2;
            default -> full(e);
        };
    }
}
