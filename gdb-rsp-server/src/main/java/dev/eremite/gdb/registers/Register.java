package dev.eremite.gdb.registers;

import dev.eremite.replay.debug.ThreadRegisters;

/**
 * A row of the register table.
 *
 * @param feature the target description's feature that it belongs to
 * @param name GDB's name
 * @param bits its width as GDB shows it, a multiple of eight
 * @param type GDB's type
 * @param group GDB's register group; empty for the default one
 * @param storage where its bytes lie
 */
record Register(Feature feature, String name, int bits, String type, String group, Storage storage) {
    int bytes() {
        return bits / 8;
    }

    /** Where a register lies in {@link ThreadRegisters}. */
    interface Storage {
        /** Whether the state holds the register; GDB shows it as unavailable where it does not. */
        boolean available(ThreadRegisters registers);

        /** Copies the register, little-endian, to {@code to}, which has its width. */
        void read(ThreadRegisters registers, byte[] to);

        /** Sets the register in place from its little-endian bytes. */
        void write(ThreadRegisters registers, byte[] from);
    }
}
