package dev.eremite.tracer.x86;

/**
 * Indices of the 27 longs of {@code struct user_regs_struct} (sys/user.h), and the mapping from the numbers that
 * instructions use for general-purpose registers.
 */
public final class UserRegisters {
    public static final int R15 = 0;
    public static final int R14 = 1;
    public static final int R13 = 2;
    public static final int R12 = 3;
    public static final int RBP = 4;
    public static final int RBX = 5;
    public static final int R11 = 6;
    public static final int R10 = 7;
    public static final int R9 = 8;
    public static final int R8 = 9;
    public static final int RAX = 10;
    public static final int RCX = 11;
    public static final int RDX = 12;
    public static final int RSI = 13;
    public static final int RDI = 14;
    public static final int ORIG_RAX = 15;
    public static final int RIP = 16;
    public static final int CS = 17;
    public static final int EFLAGS = 18;
    public static final int RSP = 19;
    public static final int SS = 20;
    public static final int FS_BASE = 21;
    public static final int GS_BASE = 22;
    public static final int DS = 23;
    public static final int ES = 24;
    public static final int FS = 25;
    public static final int GS = 26;

    /** How many longs the structure has. */
    public static final int COUNT = 27;

    private static final int[] BY_ENCODING = {
        RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15
    };

    private UserRegisters() {}

    /**
     * The index of a general-purpose register.
     *
     * @param encoding the register's number in instructions, 0 (rax) to 15 (r15)
     * @return its index in user_regs_struct
     */
    public static int indexOf(int encoding) {
        return BY_ENCODING[encoding];
    }

    /**
     * The number that instructions use for a general-purpose register.
     *
     * @param index an index in user_regs_struct
     * @return 0 (rax) to 15 (r15), or −1 if the index names no general-purpose register
     */
    public static int encodingOf(int index) {
        for (int encoding = 0; encoding < BY_ENCODING.length; encoding++) {
            if (BY_ENCODING[encoding] == index) {
                return encoding;
            }
        }
        return -1;
    }
}
