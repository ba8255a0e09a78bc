package dev.eremite.gdb.packet;

import dev.eremite.gdb.codec.PacketCursor;

/** Answers one kind of packet. Runs on the target's thread. */
@FunctionalInterface
interface PacketHandler {
    /**
     * Obeys the packet.
     *
     * @param arguments the payload behind the packet's name
     * @throws dev.eremite.gdb.codec.PacketException for an error reply
     */
    Reply handle(PacketCursor arguments, DebugSession session);
}
