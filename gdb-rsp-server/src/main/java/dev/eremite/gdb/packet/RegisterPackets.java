package dev.eremite.gdb.packet;

import dev.eremite.gdb.codec.PacketCursor;
import dev.eremite.gdb.codec.PacketException;
import dev.eremite.gdb.registers.RegisterTable;
import dev.eremite.replay.debug.ThreadRegisters;

/** Packets that read registers and, in a throw-away copy, write them. */
final class RegisterPackets {
    private RegisterPackets() {}

    static void addTo(PacketTable table) {
        table.on("g", RegisterPackets::readAll)
                .on("G", RegisterPackets::writeAll)
                .on("p", RegisterPackets::read)
                .on("P", RegisterPackets::write);
    }

    private static Reply readAll(PacketCursor in, DebugSession session) {
        in.end();
        return Reply.text(session.table().readAll(session.registers(session.dataThread())));
    }

    private static Reply writeAll(PacketCursor in, DebugSession session) {
        byte[] bytes = in.hexBytesUntil("");
        RegisterTable table = session.table();
        if (bytes.length > table.totalBytes()) {
            throw PacketException.malformed("more registers than there are");
        }
        int thread = session.dataThread();
        return set(session, thread, table.withAll(session.registers(thread), bytes));
    }

    private static Reply read(PacketCursor in, DebugSession session) {
        int number = number(in, session.table());
        in.end();
        byte[] bytes = session.table().read(session.registers(session.dataThread()), number);
        return bytes.length == 0 ? Reply.text("x".repeat(2 * session.table().bytes(number))) : Reply.hex(bytes);
    }

    private static Reply write(PacketCursor in, DebugSession session) {
        int number = number(in, session.table());
        in.expect('=');
        byte[] bytes = in.hexBytesUntil("");
        if (bytes.length != session.table().bytes(number)) {
            throw PacketException.malformed("wrong width for register " + number);
        }
        int thread = session.dataThread();
        return set(session, thread, session.table().with(session.registers(thread), number, bytes));
    }

    private static int number(PacketCursor in, RegisterTable table) {
        return in.hexUpTo(table.count() - 1);
    }

    private static Reply set(DebugSession session, int thread, ThreadRegisters registers) {
        if (!session.changing(() -> session.target().writeRegisters(thread, registers))) {
            throw new PacketException(PacketException.REFUSED, "registers cannot be changed here");
        }
        return Reply.OK;
    }
}
