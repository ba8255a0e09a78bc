package dev.eremite.gdb.packet;

/**
 * Translates signal numbers: the protocol has its own, from GDB's {@code include/gdb/signals.def}, which differ from
 * those of Linux (signal(7)).
 */
final class GdbSignal {
    static final int INTERRUPT = 2;
    static final int TRAP = 5;
    private static final int UNKNOWN = 143;
    private static final int LAST_LINUX = 64;

    /** GDB's numbers for the Linux signals 0 to 31. */
    private static final int[] CLASSIC = {
        0, 1, 2, 3, 4, 5, 6, 10, 8, 9, 30, 11, 31, 13, 14, 15, UNKNOWN, 20, 19, 17, 18, 21, 22, 16, 24, 25, 26, 27, 28,
        23, 32, 12
    };

    private GdbSignal() {}

    /** GDB's number for a Linux signal, 1…64. */
    static int fromLinux(int signal) {
        if (signal < 0 || signal > LAST_LINUX) {
            return UNKNOWN;
        }
        if (signal < CLASSIC.length) {
            return CLASSIC[signal];
        }
        return switch (signal) {
            case 32 -> 77;
            case 64 -> 78;
            default -> 45 + signal - 33;
        };
    }

    /** The Linux signal of a GDB number; 0 for one that Linux does not have. */
    static int toLinux(int gdb) {
        for (int signal = 1; signal <= LAST_LINUX; signal++) {
            if (fromLinux(signal) == gdb && gdb != UNKNOWN) {
                return signal;
            }
        }
        return 0;
    }
}
