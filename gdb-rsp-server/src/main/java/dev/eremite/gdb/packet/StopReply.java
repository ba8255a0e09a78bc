package dev.eremite.gdb.packet;

import dev.eremite.gdb.codec.Hex;
import dev.eremite.gdb.registers.RegisterTable;
import dev.eremite.replay.debug.Stop;
import dev.eremite.replay.debug.ThreadRegisters;
import java.util.List;

/** Words a stop as a {@code T} packet, with the registers that GDB asks for at every stop. */
final class StopReply {
    private static final List<Integer> EXPEDITED = List.of(RegisterTable.RBP, RegisterTable.RSP, RegisterTable.RIP);

    private StopReply() {}

    /** The answer to a movement. */
    static Reply moved(Stop stop, DebugSession session) {
        return stop.reason() == Stop.Reason.EXITED
                ? exited(stop, session)
                : Reply.text(head(stop, session) + reason(stop, session.features()));
    }

    /** The answer to {@code ?}: where we are, without a reason that belongs to another client's breakpoints. */
    static Reply asked(Stop stop, DebugSession session) {
        return Reply.text(head(stop, session));
    }

    /** A process is gone while others are left. */
    private static Reply exited(Stop stop, DebugSession session) {
        session.generalThread(ThreadId.ANY_THREAD);
        int deadly = stop.number() & 0x7f;
        String end = deadly == 0
                ? "W%02x".formatted(stop.number() >> 8 & 0xff)
                : "X%02x".formatted(GdbSignal.fromLinux(deadly));
        return Reply.text(end + ";process:" + Integer.toHexString(stop.process()));
    }

    private static String head(Stop stop, DebugSession session) {
        StringBuilder text = new StringBuilder("T%02x".formatted(signal(stop)));
        ThreadRegisters registers = session.registers(stop.thread());
        for (int number : EXPEDITED) {
            byte[] value = session.table().read(registers, number);
            text.append("%02x:%s;".formatted(number, Hex.encode(value)));
        }
        ThreadId thread = new ThreadId(stop.process(), stop.thread());
        // In all-stop mode the thread that stopped is the selected one from here on; clients do not select it again.
        session.generalThread(thread);
        return text.append("thread:")
                .append(thread.text(session.features().multiprocess()))
                .append(';')
                .toString();
    }

    private static int signal(Stop stop) {
        return switch (stop.reason()) {
            case SIGNAL -> GdbSignal.fromLinux(stop.number());
            case INTERRUPTED -> GdbSignal.INTERRUPT;
            case ATTACHED,
                    STEP,
                    BREAKPOINT,
                    HARDWARE_BREAKPOINT,
                    WATCH,
                    READ_WATCH,
                    ACCESS_WATCH,
                    SYSCALL_ENTRY,
                    SYSCALL_RETURN,
                    FORK,
                    VFORK,
                    VFORK_DONE,
                    EXEC,
                    EXITED,
                    APPEARED,
                    HISTORY_BEGIN,
                    HISTORY_END -> GdbSignal.TRAP;
        };
    }

    /** The child's first thread, whose id is that of its process. */
    private static String child(Stop stop) {
        return new ThreadId(stop.number(), stop.number()).text(true);
    }

    private static String reason(Stop stop, ClientFeatures features) {
        return switch (stop.reason()) {
            case BREAKPOINT -> features.swbreak() ? "swbreak:;" : "";
            case HARDWARE_BREAKPOINT -> features.hwbreak() ? "hwbreak:;" : "";
            case WATCH -> "watch:" + Long.toHexString(stop.address()) + ";";
            case READ_WATCH -> "rwatch:" + Long.toHexString(stop.address()) + ";";
            case ACCESS_WATCH -> "awatch:" + Long.toHexString(stop.address()) + ";";
            case SYSCALL_ENTRY -> "syscall_entry:" + Integer.toHexString(stop.number()) + ";";
            case SYSCALL_RETURN -> "syscall_return:" + Integer.toHexString(stop.number()) + ";";
            case HISTORY_BEGIN -> "replaylog:begin;";
            case HISTORY_END -> "replaylog:end;";
            case FORK -> "fork:" + child(stop) + ";";
            case VFORK -> "vfork:" + child(stop) + ";";
            case VFORK_DONE -> "vforkdone:;";
            case EXEC -> "exec:" + Hex.encode(stop.program()) + ";";
            case ATTACHED, STEP, SIGNAL, INTERRUPTED, APPEARED, EXITED -> "";
        };
    }
}
