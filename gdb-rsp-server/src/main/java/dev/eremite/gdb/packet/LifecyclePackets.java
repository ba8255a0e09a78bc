package dev.eremite.gdb.packet;

import dev.eremite.gdb.codec.PacketCursor;
import dev.eremite.gdb.codec.PacketException;
import dev.eremite.replay.debug.Stop;

/**
 * Packets that would start or end a program. A recording has run already: killing only takes out the client's
 * breakpoints, and running goes back to the beginning of history.
 */
final class LifecyclePackets {
    private LifecyclePackets() {}

    static void addTo(PacketTable table) {
        table.on("D", LifecyclePackets::leave)
                .on("vKill", LifecyclePackets::leave)
                .on("k", (in, session) -> {
                    session.breakpoints().clear();
                    return Reply.NONE;
                })
                .on("R", (in, session) -> {
                    restart(session);
                    return Reply.NONE;
                })
                .on("vRun", LifecyclePackets::run)
                .on("vAttach", LifecyclePackets::attach);
    }

    /** Leaves one process, or all of them. */
    private static Reply leave(PacketCursor in, DebugSession session) {
        if (in.accept(';')) {
            int process = in.hexUpTo(Integer.MAX_VALUE);
            session.breakpoints().clear(process);
            session.target().detach(process);
        } else {
            session.breakpoints().clear();
        }
        return Reply.OK;
    }

    private static Reply attach(PacketCursor in, DebugSession session) {
        in.expect(';');
        int process = in.hexUpTo(Integer.MAX_VALUE);
        if (!session.target().attach(process)) {
            throw new PacketException(PacketException.ABSENT, "no process " + process + " at this place");
        }
        ThreadId thread = new ThreadId(process, session.anyThread(process));
        session.generalThread(thread);
        // Without registers: GDB does not know yet how wide they are in this process.
        return Reply.text("T05thread:" + thread.text(session.features().multiprocess()) + ";");
    }

    /** The program's name and arguments, which follow, are the recording's. */
    private static Reply run(PacketCursor in, DebugSession session) {
        return StopReply.asked(restart(session), session);
    }

    private static Stop restart(DebugSession session) {
        Stop stop = session.changing(session.target()::restart);
        session.generalThread(ThreadId.ANY_THREAD);
        return stop;
    }
}
