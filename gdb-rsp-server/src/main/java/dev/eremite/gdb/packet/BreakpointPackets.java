package dev.eremite.gdb.packet;

import dev.eremite.gdb.agent.AgentExpression;
import dev.eremite.gdb.codec.PacketCursor;
import dev.eremite.gdb.codec.PacketException;
import dev.eremite.replay.debug.DebugTarget.BreakpointKind;
import java.util.ArrayList;
import java.util.List;

/** Packets that insert and remove breakpoints and watchpoints. */
final class BreakpointPackets {
    private static final BreakpointKind[] KINDS = {
        BreakpointKind.SOFTWARE,
        BreakpointKind.HARDWARE,
        BreakpointKind.WRITE,
        BreakpointKind.READ,
        BreakpointKind.ACCESS
    };

    private BreakpointPackets() {}

    static void addTo(PacketTable table) {
        table.on("Z", BreakpointPackets::insert).on("z", BreakpointPackets::remove);
    }

    private static Reply insert(PacketCursor in, DebugSession session) {
        int type = in.hexUpTo(Integer.MAX_VALUE);
        if (type >= KINDS.length) {
            return Reply.UNSUPPORTED;
        }
        Breakpoints.Place place = place(KINDS[type], in, session);
        session.breakpoints().insert(place, conditions(in));
        return Reply.OK;
    }

    private static Reply remove(PacketCursor in, DebugSession session) {
        int type = in.hexUpTo(Integer.MAX_VALUE);
        if (type >= KINDS.length) {
            return Reply.UNSUPPORTED;
        }
        session.breakpoints().remove(place(KINDS[type], in, session));
        session.end().shown();
        return Reply.OK;
    }

    private static Breakpoints.Place place(BreakpointKind kind, PacketCursor in, DebugSession session) {
        in.expect(',');
        long address = in.hex();
        in.expect(',');
        long length = in.hex();
        int process = session.dataProcess();
        return new Breakpoints.Place(kind, process, address, length);
    }

    /** Reads {@code ;Xlen,code…}, several conditions one after another. */
    private static List<AgentExpression> conditions(PacketCursor in) {
        List<AgentExpression> conditions = new ArrayList<>();
        while (!in.atEnd()) {
            in.accept(';');
            if (!in.accept('X')) {
                throw PacketException.malformed("breakpoint commands were not announced");
            }
            int length = in.hexUpTo(DebugSession.PACKET_SIZE);
            in.expect(',');
            byte[] digits = in.bytes(2 * length);
            conditions.add(new AgentExpression(new PacketCursor(digits).hexBytesUntil("")));
        }
        return conditions;
    }
}
