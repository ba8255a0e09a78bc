package dev.eremite.tracer.linux;

import java.util.List;

/** Indices into user_regs_struct (sys/user.h) taken as an array of 27 longs. */
public final class Reg {
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

    /** The number of longs in user_regs_struct. */
    public static final int COUNT = 27;

    /** Names by index. */
    public static final List<String> NAMES = List.of(
            "r15",
            "r14",
            "r13",
            "r12",
            "rbp",
            "rbx",
            "r11",
            "r10",
            "r9",
            "r8",
            "rax",
            "rcx",
            "rdx",
            "rsi",
            "rdi",
            "orig_rax",
            "rip",
            "cs",
            "eflags",
            "rsp",
            "ss",
            "fs_base",
            "gs_base",
            "ds",
            "es",
            "fs",
            "gs");

    private static final int[] ARGUMENTS = {RDI, RSI, RDX, R10, R8, R9};

    private Reg() {}

    /** The register that holds system call argument 0…5. */
    public static int argument(int index) {
        return ARGUMENTS[index];
    }
}
