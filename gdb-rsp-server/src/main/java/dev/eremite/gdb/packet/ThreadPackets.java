package dev.eremite.gdb.packet;

import dev.eremite.gdb.codec.Hex;
import dev.eremite.gdb.codec.PacketCursor;
import dev.eremite.gdb.codec.PacketException;
import dev.eremite.replay.debug.DebugTarget.ThreadInfo;
import dev.eremite.replay.debug.Stop;
import java.util.stream.Collectors;

/** Packets that list and select threads. */
final class ThreadPackets {
    private ThreadPackets() {}

    static void addTo(PacketTable table) {
        table.on("H", ThreadPackets::select)
                .on("T", ThreadPackets::alive)
                .on("qC", ThreadPackets::current)
                .on("qfThreadInfo", ThreadPackets::list)
                .on("qsThreadInfo", (in, session) -> Reply.text("l"))
                .on("qThreadExtraInfo", ThreadPackets::extraInfo);
    }

    private static Reply select(PacketCursor in, DebugSession session) {
        int operation = in.take();
        ThreadId thread = ThreadId.read(in);
        if (thread.single()) {
            session.thread(thread.thread());
        }
        switch (operation) {
            case 'g' -> session.generalThread(thread);
            case 'c' -> session.controlThread(thread);
            default -> throw PacketException.malformed("H operation");
        }
        return Reply.OK;
    }

    private static Reply alive(PacketCursor in, DebugSession session) {
        session.thread(ThreadId.read(in).thread());
        return Reply.OK;
    }

    private static Reply current(PacketCursor in, DebugSession session) {
        Stop stop = session.target().current();
        return Reply.text("QC" + text(stop.process(), stop.thread(), session));
    }

    private static Reply list(PacketCursor in, DebugSession session) {
        return Reply.text(session.target().threads().stream()
                .map(info -> text(info.process(), info.thread(), session))
                .collect(Collectors.joining(",", "m", "")));
    }

    private static Reply extraInfo(PacketCursor in, DebugSession session) {
        in.expect(',');
        ThreadInfo info = session.thread(ThreadId.read(in).thread());
        return Reply.text(Hex.encode(info.name()));
    }

    private static String text(int process, int thread, DebugSession session) {
        return new ThreadId(process, thread).text(session.features().multiprocess());
    }
}
