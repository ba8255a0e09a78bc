package dev.eremite.gdb.registers;

import dev.eremite.replay.debug.ThreadRegisters;
import java.util.Arrays;

/**
 * A register in the XSAVE area.
 *
 * @param offset its first byte
 * @param length the bytes it has there; GDB's register is zero-extended where it is wider
 * @param component the bit in XSTATE_BV that says the component is in use
 */
record XsaveStorage(int offset, int length, int component) implements Register.Storage {
    private static final int XSTATE_BV = 512;

    @Override
    public boolean available(ThreadRegisters registers) {
        return offset + length <= registers.xsave().length;
    }

    @Override
    public void read(ThreadRegisters registers, byte[] to) {
        Arrays.fill(to, (byte) 0);
        System.arraycopy(registers.xsave(), offset, to, 0, Math.min(length, to.length));
    }

    @Override
    public void write(ThreadRegisters registers, byte[] from) {
        System.arraycopy(from, 0, registers.xsave(), offset, Math.min(length, from.length));
        markInUse(registers.xsave(), component);
    }

    /** Sets the component's bit, without which XRSTOR would load its initial state instead. */
    static void markInUse(byte[] xsave, int component) {
        int at = XSTATE_BV + component / 8;
        if (at < xsave.length) {
            xsave[at] |= (byte) (1 << component % 8);
        }
    }
}
