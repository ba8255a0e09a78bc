package dev.eremite.gdb.packet;

import dev.eremite.gdb.codec.PacketCursor;
import dev.eremite.gdb.codec.PacketException;
import dev.eremite.replay.debug.DebugTarget.ThreadInfo;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** {@code qXfer:OBJECT:read:ANNEX:OFFSET,LENGTH}: objects that are read in pieces. */
final class TransferPackets {
    /** Makes the whole object; it is the same for every piece as long as nothing moves. */
    @FunctionalInterface
    private interface TransferObject {
        byte[] read(String annex, DebugSession session);
    }

    private static final int MAX_PIECE = DebugSession.PACKET_SIZE / 2 - 16;

    private static final Map<String, TransferObject> OBJECTS = Map.of(
            "features", TransferPackets::features,
            "auxv", (annex, session) -> session.target().auxv(session.dataProcess()),
            "exec-file", TransferPackets::executable,
            "libraries-svr4", (annex, session) -> utf8(LibraryList.of(session.target(), session.dataProcess())),
            "osdata", TransferPackets::operatingSystem,
            "threads", TransferPackets::threads,
            "siginfo", TransferPackets::siginfo);

    private TransferPackets() {}

    static void addTo(PacketTable table) {
        table.on("qXfer", TransferPackets::transfer);
    }

    private static Reply transfer(PacketCursor in, DebugSession session) {
        in.expect(':');
        TransferObject object = OBJECTS.get(in.until(":"));
        if (object == null || !in.accept(":read:")) {
            return Reply.UNSUPPORTED;
        }
        String annex = in.until(":");
        in.expect(':');
        long offset = in.hex();
        in.expect(',');
        int length = in.hexClamped(MAX_PIECE);
        in.end();
        byte[] whole = object.read(annex, session);
        if (offset < 0 || offset >= whole.length) {
            return Reply.text("l");
        }
        int piece = (int) Math.min(length, whole.length - offset);
        return Reply.binary(offset + piece == whole.length ? "l" : "m", whole, (int) offset, piece);
    }

    private static byte[] features(String annex, DebugSession session) {
        return session.description()
                .file(annex)
                .map(TransferPackets::utf8)
                .orElseThrow(() -> new PacketException(PacketException.ABSENT, "no feature file " + annex));
    }

    /** That of a process, whose id is the annex, or of the selected one. */
    private static byte[] executable(String annex, DebugSession session) {
        int process = annex.isEmpty() ? session.dataProcess() : new PacketCursor(annex).hexUpTo(Integer.MAX_VALUE);
        session.anyThread(process);
        return utf8(session.target().executable(process));
    }

    /** GDB's {@code info os processes}: those that are debugged. */
    private static byte[] operatingSystem(String annex, DebugSession session) {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<osdata type=\"processes\">\n");
        if (annex.equals("processes")) {
            session.target().threads().stream()
                    .map(ThreadInfo::process)
                    .distinct()
                    .forEach(process -> {
                        xml.append("<item><column name=\"pid\">").append(process);
                        xml.append("</column><column name=\"command\">");
                        Xml.append(xml, session.target().executable(process));
                        xml.append("</column></item>\n");
                    });
        }
        return utf8(xml.append("</osdata>\n").toString());
    }

    private static byte[] threads(String annex, DebugSession session) {
        session.end().shown();
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<threads>\n");
        for (ThreadInfo info : session.target().threads()) {
            String id = new ThreadId(info.process(), info.thread())
                    .text(session.features().multiprocess());
            xml.append("<thread id=\"").append(id).append("\" name=\"");
            Xml.append(xml, info.name());
            xml.append("\"/>\n");
        }
        return utf8(xml.append("</threads>\n").toString());
    }

    private static byte[] siginfo(String annex, DebugSession session) {
        return session.target()
                .siginfo(session.dataThread())
                .orElseThrow(() -> new PacketException(PacketException.ABSENT, "no signal to tell about"));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
