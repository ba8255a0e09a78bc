package dev.eremite.replay.log;

/**
 * The short forms of a 64-bit machine word. Codes 0 to 8 are that many low bytes, zero-extended; the others stand for
 * small negative numbers and for the places where x86-64 Linux puts things when addresses are not randomised.
 */
final class WordCode {
    static final int HIGH = 9;
    static final int PROGRAM = 10;
    static final int NEGATIVE_1 = 11;
    static final int NEGATIVE_2 = 12;
    static final int NEGATIVE_4 = 13;
    static final int LIBRARIES = 14;
    static final int STACK = 15;

    private static final long HIGH_BASE = 0x7fffL << 32;
    private static final long PROGRAM_BASE = 0x5555L << 32;
    private static final long LIBRARIES_BASE = 0x7ffff7L << 24;
    private static final long STACK_BASE = 0x7fffffL << 24;
    private static final byte[] BYTES = {0, 1, 2, 3, 4, 5, 6, 7, 8, 4, 4, 1, 2, 4, 3, 3};

    private WordCode() {}

    static int of(long value) {
        if (value < 0) {
            if (value >= Byte.MIN_VALUE) {
                return NEGATIVE_1;
            }
            return value >= Short.MIN_VALUE ? NEGATIVE_2 : value >= Integer.MIN_VALUE ? NEGATIVE_4 : 8;
        }
        int bytes = 71 - Long.numberOfLeadingZeros(value) >> 3;
        if (bytes != 6) {
            return bytes;
        }
        long top = value >>> 24;
        if (top == LIBRARIES_BASE >>> 24) {
            return LIBRARIES;
        }
        if (top == STACK_BASE >>> 24) {
            return STACK;
        }
        long high = value >>> 32;
        return high == 0x7fff ? HIGH : high == 0x5555 ? PROGRAM : 6;
    }

    static int bytes(int code) {
        return BYTES[code];
    }

    /** The word whose stored low bytes are {@code raw}, zero-extended. */
    static long expand(int code, long raw) {
        return switch (code) {
            case HIGH -> raw | HIGH_BASE;
            case PROGRAM -> raw | PROGRAM_BASE;
            case NEGATIVE_1 -> raw | -1L << 8;
            case NEGATIVE_2 -> raw | -1L << 16;
            case NEGATIVE_4 -> raw | -1L << 32;
            case LIBRARIES -> raw | LIBRARIES_BASE;
            case STACK -> raw | STACK_BASE;
            default -> raw;
        };
    }
}
