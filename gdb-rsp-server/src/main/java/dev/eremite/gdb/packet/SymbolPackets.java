package dev.eremite.gdb.packet;

import dev.eremite.gdb.codec.Hex;
import dev.eremite.gdb.codec.PacketCursor;
import java.nio.charset.StandardCharsets;

/** Packets by which the server learns symbols, and the look-up of thread-local variables that needs them. */
final class SymbolPackets {
    private SymbolPackets() {}

    static void addTo(PacketTable table) {
        table.on("qSymbol", SymbolPackets::symbol).on("qGetTLSAddr", SymbolPackets::threadLocalAddress);
    }

    /** {@code qSymbol::} offers look-ups, {@code qSymbol:ADDRESS:NAME} answers one; the reply asks for the next. */
    private static Reply symbol(PacketCursor in, DebugSession session) {
        SymbolRequests symbols = session.symbols();
        in.expect(':');
        String address = in.until(":");
        in.expect(':');
        String name = new String(in.hexBytesUntil(""), StandardCharsets.UTF_8);
        if (name.isEmpty()) {
            symbols.begin();
        } else if (!address.isEmpty()) {
            symbols.resolve(name, new PacketCursor(address).hex());
        }
        String next = symbols.next();
        return next == null ? Reply.OK : Reply.text("qSymbol:" + Hex.encode(next));
    }

    private static Reply threadLocalAddress(PacketCursor in, DebugSession session) {
        in.expect(':');
        int thread = session.thread(ThreadId.read(in).thread()).thread();
        in.expect(',');
        long offset = in.hex();
        in.expect(',');
        long linkMap = in.hex();
        return Reply.text(Long.toHexString(new ThreadLocalStorage(session).base(thread, linkMap) + offset));
    }
}
