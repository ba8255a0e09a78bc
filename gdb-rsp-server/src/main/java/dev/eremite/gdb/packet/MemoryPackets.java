package dev.eremite.gdb.packet;

import dev.eremite.gdb.codec.Hex;
import dev.eremite.gdb.codec.PacketCursor;
import dev.eremite.gdb.codec.PacketException;
import dev.eremite.replay.debug.DebugTarget.MemoryRegion;
import java.util.List;

/** Packets that read memory and, in a throw-away copy, write it. */
final class MemoryPackets {
    private static final int MAX_READ = DebugSession.PACKET_SIZE / 2 - 16;

    private MemoryPackets() {}

    static void addTo(PacketTable table) {
        table.on("m", MemoryPackets::readHex)
                .on("x", MemoryPackets::readBinary)
                .on("M", MemoryPackets::writeHex)
                .on("X", MemoryPackets::writeBinary)
                .on("qMemoryRegionInfo", MemoryPackets::regionInfo)
                .on("_M", MemoryPackets::allocate)
                .on("_m", MemoryPackets::release);
    }

    private static Reply readHex(PacketCursor in, DebugSession session) {
        return Reply.hex(read(in, session));
    }

    /** With the leading {@code b} that belongs to the feature binary-upload. */
    private static Reply readBinary(PacketCursor in, DebugSession session) {
        byte[] bytes = read(in, session);
        return Reply.binary("b", bytes, 0, bytes.length);
    }

    private static byte[] read(PacketCursor in, DebugSession session) {
        long address = in.hex();
        in.expect(',');
        int length = in.hexClamped(MAX_READ);
        in.end();
        byte[] bytes = session.target().readMemory(session.dataProcess(), address, length);
        if (bytes.length == 0) {
            throw new PacketException(
                    PacketException.NOT_MAPPED, "memory not mapped at 0x" + Long.toHexString(address));
        }
        return bytes;
    }

    private static Reply writeHex(PacketCursor in, DebugSession session) {
        long address = in.hex();
        in.expect(',');
        int length = in.hexUpTo(Integer.MAX_VALUE);
        in.expect(':');
        return write(session, address, length, in.hexBytesUntil(""));
    }

    private static Reply writeBinary(PacketCursor in, DebugSession session) {
        long address = in.hex();
        in.expect(',');
        int length = in.hexUpTo(Integer.MAX_VALUE);
        in.expect(':');
        return write(session, address, length, in.restBytes());
    }

    private static Reply write(DebugSession session, long address, int length, byte[] bytes) {
        if (bytes.length != length) {
            throw PacketException.malformed("length and data differ");
        }
        // GDB probes for X with no data at all; that must not make a copy of the program.
        if (length > 0
                && !session.changing(() -> session.target().writeMemory(session.dataProcess(), address, bytes))) {
            throw new PacketException(PacketException.REFUSED, "memory cannot be changed here");
        }
        return Reply.OK;
    }

    /** LLDB's: length, permissions. All of the memory may be read, written and executed. */
    private static Reply allocate(PacketCursor in, DebugSession session) {
        if (!session.target().canAllocate()) {
            return Reply.UNSUPPORTED;
        }
        int length = in.hexUpTo(Integer.MAX_VALUE);
        in.expect(',');
        long address = session.target().allocate(length);
        if (address == 0) {
            throw new PacketException(PacketException.REFUSED, "so much memory cannot be had");
        }
        return Reply.text(Long.toHexString(address));
    }

    private static Reply release(PacketCursor in, DebugSession session) {
        long address = in.hex();
        in.end();
        if (!session.target().release(address)) {
            throw new PacketException(PacketException.ABSENT, "no memory of the debugger's own begins there");
        }
        return Reply.OK;
    }

    private static Reply regionInfo(PacketCursor in, DebugSession session) {
        in.expect(':');
        long address = in.hex();
        in.end();
        List<MemoryRegion> regions = session.target().memoryRegions(session.dataProcess());
        if (regions.isEmpty()) {
            return Reply.UNSUPPORTED;
        }
        long gapStart = 0;
        for (MemoryRegion region : regions) {
            if (Long.compareUnsigned(address, region.start()) < 0) {
                return range(gapStart, region.start(), "");
            }
            if (Long.compareUnsigned(address, region.end()) < 0) {
                String name = region.name().isEmpty() ? "" : "name:" + Hex.encode(region.name()) + ";";
                return range(region.start(), region.end(), "permissions:" + region.permissions() + ";" + name);
            }
            gapStart = region.end();
        }
        return range(gapStart, 0, "");
    }

    private static Reply range(long start, long end, String attributes) {
        return Reply.text(
                "start:" + Long.toHexString(start) + ";size:" + Long.toHexString(end - start) + ";" + attributes);
    }
}
