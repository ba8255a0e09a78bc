package dev.eremite.gdb.registers;

import dev.eremite.replay.debug.ThreadRegisters;
import java.util.Arrays;

/**
 * The x87 tag word. FXSAVE keeps one bit a register (in use or empty); GDB wants the processor's two bits, which say
 * what kind of number it holds (Intel SDM volume 1, 10.5.1.1).
 */
record TagWordStorage() implements Register.Storage {
    private static final int STATUS = 2;
    private static final int TAGS = 4;
    private static final int STACK = 32;
    private static final int STACK_STRIDE = 16;
    private static final int VALID = 0;
    private static final int ZERO = 1;
    private static final int SPECIAL = 2;
    private static final int EMPTY = 3;

    @Override
    public boolean available(ThreadRegisters registers) {
        return registers.xsave().length >= STACK + 8 * STACK_STRIDE;
    }

    @Override
    public void read(ThreadRegisters registers, byte[] to) {
        byte[] xsave = registers.xsave();
        int top = xsave[STATUS + 1] >> 3 & 7;
        int word = 0;
        for (int physical = 0; physical < 8; physical++) {
            boolean used = (xsave[TAGS] >> physical & 1) != 0;
            int stackPlace = physical - top & 7;
            word |= (used ? kind(xsave, STACK + stackPlace * STACK_STRIDE) : EMPTY) << 2 * physical;
        }
        Arrays.fill(to, (byte) 0);
        to[0] = (byte) word;
        to[1] = (byte) (word >> 8);
    }

    private static int kind(byte[] xsave, int at) {
        int exponent = (xsave[at + 9] & 0x7F) << 8 | xsave[at + 8] & 0xFF;
        boolean integerBit = xsave[at + 7] < 0;
        if (exponent == 0x7FFF) {
            return SPECIAL;
        }
        if (exponent != 0) {
            return integerBit ? VALID : SPECIAL;
        }
        for (int i = 0; i < 8; i++) {
            if (xsave[at + i] != 0) {
                return SPECIAL;
            }
        }
        return ZERO;
    }

    @Override
    public void write(ThreadRegisters registers, byte[] from) {
        int word = from[0] & 0xFF | (from[1] & 0xFF) << 8;
        int tags = 0;
        for (int physical = 0; physical < 8; physical++) {
            if ((word >> 2 * physical & 3) != EMPTY) {
                tags |= 1 << physical;
            }
        }
        registers.xsave()[TAGS] = (byte) tags;
        XsaveStorage.markInUse(registers.xsave(), 0);
    }
}
