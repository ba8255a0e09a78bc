package dev.eremite.gdb.packet;

import dev.eremite.gdb.codec.PacketCursor;
import dev.eremite.gdb.codec.PacketException;
import dev.eremite.gdb.registers.RegisterTable;
import dev.eremite.replay.debug.DebugTarget.Direction;
import dev.eremite.replay.debug.DebugTarget.Movement;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.Set;

/**
 * Packets that move through the recording, answered at the next stop. A signal that the client wants delivered is
 * not: the recording has the signals that the program got.
 */
final class ResumePackets {
    private static final Set<String> MOVEMENTS = Set.of("c", "C", "s", "S", "bc", "bs");
    private static final Movement FORWARD = new Movement(Direction.FORWARD, 0, 0, 0);

    private ResumePackets() {}

    static void addTo(PacketTable table) {
        table.on("vCont", ResumePackets::vCont)
                .on("c", (in, session) -> legacy(in, session, false, false))
                .on("C", (in, session) -> legacy(in, session, true, false))
                .on("s", (in, session) -> legacy(in, session, false, true))
                .on("S", (in, session) -> legacy(in, session, true, true))
                .on("bc", (in, session) -> session.move(new Movement(Direction.BACKWARD, 0, 0, 0)))
                .on("bs", (in, session) -> session.move(new Movement(Direction.BACKWARD, session.stepThread(), 0, 0)));
    }

    /** Whether the packet is answered by a stop. */
    static boolean isMovement(byte[] payload) {
        String name = PacketTable.name(payload);
        return MOVEMENTS.contains(name) || name.equals("vCont") && payload.length > 5 && payload[5] == ';';
    }

    private static Reply vCont(PacketCursor in, DebugSession session) {
        if (in.accept('?')) {
            return Reply.text("vCont;c;C;s;S;t;r");
        }
        Movement movement = null;
        while (in.accept(';')) {
            // The first action that names a thread, or comes last, is meant for it; only one thread can step.
            Optional<Movement> step = action(in, session);
            if (movement == null && step.isPresent()) {
                movement = step.get();
            }
        }
        in.end();
        return session.move(movement == null ? FORWARD : movement);
    }

    /** Reads one action; empty when it lets the threads run or stops them, which the recording decides. */
    private static Optional<Movement> action(PacketCursor in, DebugSession session) {
        int action = in.take();
        long start = 0;
        long end = 0;
        switch (action) {
            case 'c', 's', 't' -> {}
            case 'C', 'S' -> in.hexUpTo(0xFF);
            case 'r' -> {
                start = in.hex();
                in.expect(',');
                end = in.hex();
            }
            default -> throw PacketException.malformed("vCont action");
        }
        ThreadId named = in.accept(':') ? ThreadId.read(in) : ThreadId.ANY_THREAD;
        if (action != 's' && action != 'S' && action != 'r') {
            return Optional.empty();
        }
        int thread = named.single() ? session.thread(named.thread()).thread() : session.stepThread();
        return Optional.of(new Movement(Direction.FORWARD, thread, start, end));
    }

    private static Reply legacy(PacketCursor in, DebugSession session, boolean signal, boolean step) {
        if (signal) {
            in.hexUpTo(0xFF);
            in.accept(';');
        }
        int thread = session.stepThread();
        if (!in.atEnd()) {
            refuseOtherAddress(in.hex(), session, thread);
        }
        return session.move(step ? new Movement(Direction.FORWARD, thread, 0, 0) : FORWARD);
    }

    private static void refuseOtherAddress(long address, DebugSession session, int thread) {
        byte[] pc = session.table().read(session.registers(thread), RegisterTable.RIP);
        if (ByteBuffer.wrap(pc).order(ByteOrder.LITTLE_ENDIAN).getLong() != address) {
            throw new PacketException(PacketException.REFUSED, "a recording cannot go on at another address");
        }
    }
}
