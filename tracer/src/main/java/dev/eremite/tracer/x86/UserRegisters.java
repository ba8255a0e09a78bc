package dev.eremite.tracer.x86;

import dev.eremite.tracer.linux.Reg;

/** Between the numbers that instructions use for general-purpose registers and their places in user_regs_struct. */
public final class UserRegisters {
    private static final int[] BY_ENCODING = {
        Reg.RAX, Reg.RCX, Reg.RDX, Reg.RBX, Reg.RSP, Reg.RBP, Reg.RSI, Reg.RDI,
        Reg.R8, Reg.R9, Reg.R10, Reg.R11, Reg.R12, Reg.R13, Reg.R14, Reg.R15
    };

    private UserRegisters() {}

    /**
     * The index of a general-purpose register.
     *
     * @param encoding the register's number in instructions, 0 (rax) to 15 (r15)
     * @return its index in user_regs_struct, see {@link Reg}
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
