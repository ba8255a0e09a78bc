package dev.eremite.gdb.packet;

import dev.eremite.gdb.codec.PacketCursor;
import dev.eremite.gdb.codec.PacketException;
import dev.eremite.replay.debug.DebugTarget;

/** Packets that work through much memory on the server's side: GDB's {@code find} and {@code compare-sections}. */
final class SearchPackets {
    private static final int PIECE = 1 << 16;
    private static final int CRC_POLYNOMIAL = 0x04c11db7;

    private SearchPackets() {}

    static void addTo(PacketTable table) {
        table.on("qSearch", SearchPackets::search).on("qCRC", SearchPackets::crc);
    }

    private static Reply search(PacketCursor in, DebugSession session) {
        if (!in.accept(":memory:")) {
            return Reply.UNSUPPORTED;
        }
        long address = in.hex();
        in.expect(';');
        long left = in.hex();
        in.expect(';');
        byte[] pattern = in.restBytes();
        if (pattern.length == 0) {
            throw PacketException.malformed("nothing to search for");
        }
        while (Long.compareUnsigned(left, pattern.length) >= 0) {
            int wanted = Long.compareUnsigned(left, PIECE + pattern.length) < 0 ? (int) left : PIECE + pattern.length;
            byte[] memory = session.target().readMemory(session.dataProcess(), address, wanted);
            int found = indexOf(memory, pattern);
            if (found >= 0) {
                return Reply.text("1," + Long.toHexString(address + found));
            }
            if (memory.length < wanted) {
                throw notMapped(address + memory.length);
            }
            // Keep as much as the beginning of a match could have.
            int done = wanted - pattern.length + 1;
            address += done;
            left -= done;
        }
        return Reply.text("0");
    }

    private static int indexOf(byte[] memory, byte[] pattern) {
        for (int at = 0; at + pattern.length <= memory.length; at++) {
            int same = 0;
            while (same < pattern.length && memory[at + same] == pattern[same]) {
                same++;
            }
            if (same == pattern.length) {
                return at;
            }
        }
        return -1;
    }

    /** The CRC of GDB: polynomial 0x04c11db7, highest bit first, starting from all ones, not inverted. */
    private static Reply crc(PacketCursor in, DebugSession session) {
        in.expect(':');
        long address = in.hex();
        in.expect(',');
        long left = in.hex();
        in.end();
        DebugTarget target = session.target();
        int process = session.dataProcess();
        int crc = -1;
        while (left != 0) {
            byte[] memory = target.readMemory(process, address, left < 0 || left > PIECE ? PIECE : (int) left);
            if (memory.length == 0) {
                throw notMapped(address);
            }
            crc = crc(crc, memory);
            address += memory.length;
            left -= memory.length;
        }
        return Reply.text("C" + Integer.toHexString(crc));
    }

    static int crc(int start, byte[] bytes) {
        int crc = start;
        for (byte b : bytes) {
            crc ^= b << 24;
            for (int bit = 0; bit < 8; bit++) {
                crc = crc < 0 ? crc << 1 ^ CRC_POLYNOMIAL : crc << 1;
            }
        }
        return crc;
    }

    private static PacketException notMapped(long address) {
        return new PacketException(PacketException.NOT_MAPPED, "memory not mapped at 0x" + Long.toHexString(address));
    }
}
