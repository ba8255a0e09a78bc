package dev.eremite.gdb.packet;

import dev.eremite.gdb.codec.PacketCursor;
import dev.eremite.replay.debug.Stop;

/**
 * Packets that would start or end a program. A recording has run already: killing only takes out the client's
 * breakpoints, and running goes back to the beginning of history.
 */
final class LifecyclePackets {
    private LifecyclePackets() {}

    static void addTo(PacketTable table) {
        table.on("D", (in, session) -> leave(session))
                .on("vKill", (in, session) -> leave(session))
                .on("k", (in, session) -> {
                    leave(session);
                    return Reply.NONE;
                })
                .on("R", (in, session) -> {
                    restart(session);
                    return Reply.NONE;
                })
                .on("vRun", LifecyclePackets::run)
                .on("vAttach", (in, session) -> StopReply.asked(session.target().current(), session));
    }

    private static Reply leave(DebugSession session) {
        session.breakpoints().clear();
        return Reply.OK;
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
