package dev.eremite.gdb.packet;

import dev.eremite.gdb.codec.PacketCursor;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** Packets about the connection and the session as a whole. */
final class GeneralPackets {
    private static final String FEATURES = String.join(
            ";",
            "PacketSize=" + Integer.toHexString(DebugSession.PACKET_SIZE),
            "QStartNoAckMode+",
            "multiprocess+",
            "swbreak+",
            "hwbreak+",
            "vContSupported+",
            "ReverseContinue+",
            "ReverseStep+",
            "ConditionalBreakpoints+",
            "QPassSignals+",
            "QProgramSignals+",
            "binary-upload+",
            "qXfer:features:read+",
            "qXfer:auxv:read+",
            "qXfer:exec-file:read+",
            "qXfer:threads:read+",
            "qXfer:siginfo:read+",
            "qXfer:osdata:read+",
            "fork-events+",
            "vfork-events+",
            "exec-events+");

    private GeneralPackets() {}

    static void addTo(PacketTable table) {
        table.on("qSupported", GeneralPackets::supported)
                // The connection, which owns the acknowledgements, stops them once this reply is sent.
                .on("QStartNoAckMode", (in, session) -> Reply.OK)
                .on("!", (in, session) -> Reply.OK)
                .on("?", (in, session) -> StopReply.asked(session.target().current(), session))
                // "Attached": GDB detaches when it quits, instead of killing.
                .on("qAttached", (in, session) -> Reply.text("1"))
                .on("QPassSignals", GeneralPackets::passSignals)
                // The recording decides which signals the program gets.
                .on("QProgramSignals", (in, session) -> Reply.OK)
                .on("QCatchSyscalls", GeneralPackets::catchSyscalls)
                .on("qRcmd", GeneralPackets::monitor);
    }

    private static Reply supported(PacketCursor in, DebugSession session) {
        in.accept(':');
        session.features(ClientFeatures.of(new HashSet<>(Arrays.asList(in.rest().split(";")))));
        // LLDB, which does not know that reason, stops looking for libraries when it is offered a list of them.
        String libraries = session.features().swbreak() ? ";qXfer:libraries-svr4:read+" : "";
        return Reply.text(FEATURES + libraries + (session.target().canCatchSyscalls() ? ";QCatchSyscalls+" : ""));
    }

    /** {@code :0} catches none, {@code :1} all, {@code :1;NUMBER;…} some. */
    private static Reply catchSyscalls(PacketCursor in, DebugSession session) {
        if (!session.target().canCatchSyscalls()) {
            return Reply.UNSUPPORTED;
        }
        in.expect(':');
        boolean on = in.hexUpTo(1) == 1;
        Set<Integer> numbers = new HashSet<>();
        while (in.accept(';')) {
            numbers.add(in.hexUpTo(Integer.MAX_VALUE));
        }
        in.end();
        session.target().catchSyscalls(on ? number -> numbers.isEmpty() || numbers.contains(number) : null);
        return Reply.OK;
    }

    private static Reply passSignals(PacketCursor in, DebugSession session) {
        in.expect(':');
        Set<Integer> gdbNumbers = new HashSet<>();
        while (!in.atEnd()) {
            gdbNumbers.add(in.hexUpTo(0xFF));
            in.accept(';');
        }
        session.target()
                .passSignals(gdbNumbers.stream()
                        .map(GdbSignal::toLinux)
                        .filter(signal -> signal != 0)
                        .collect(Collectors.toUnmodifiableSet()));
        return Reply.OK;
    }

    private static Reply monitor(PacketCursor in, DebugSession session) {
        in.expect(',');
        String command = new String(in.hexBytesUntil(""), StandardCharsets.UTF_8);
        session.show(session.changing(() -> session.target().monitor(command)));
        return Reply.OK;
    }
}
