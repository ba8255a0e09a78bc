package dev.eremite.gdb.registers;

import dev.eremite.replay.debug.ThreadRegisters;

/**
 * A general register.
 *
 * @param index its place in user_regs_struct
 */
record GeneralStorage(int index) implements Register.Storage {
    @Override
    public boolean available(ThreadRegisters registers) {
        return index < registers.general().length;
    }

    @Override
    public void read(ThreadRegisters registers, byte[] to) {
        long value = registers.general()[index];
        for (int i = 0; i < to.length; i++) {
            to[i] = (byte) (value >>> 8 * i);
        }
    }

    @Override
    public void write(ThreadRegisters registers, byte[] from) {
        long value = 0;
        for (int i = from.length - 1; i >= 0; i--) {
            value = value << 8 | from[i] & 0xFF;
        }
        registers.general()[index] = value;
    }
}
