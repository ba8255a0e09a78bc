package dev.eremite.replay.session;

import dev.eremite.detcore.syscall.SyscallRow;
import dev.eremite.detcore.syscall.SyscallTable;
import dev.eremite.replay.event.Event;

/** Events in one short line, for reports. */
final class EventText {
    private EventText() {}

    static String of(Event event) {
        String task = "task " + event.task() + " ";
        return switch (event) {
            case Event.Syscall e -> task + name(e.number()) + arguments(e.args()) + " = " + e.result();
            case Event.SyscallEnter e -> task + "enters " + name(e.number()) + arguments(e.args());
            case Event.SyscallExit e -> task + "returns from " + name(e.number()) + " = " + e.result();
            case Event.Instruction e ->
                task + e.kind() + " at 0x" + Long.toHexString(e.proof().rip());
            case Event.ClockTrap e -> task + "lets RDTSC fault";
            case Event.Signal e ->
                task + "signal " + e.signal() + " at 0x"
                        + Long.toHexString(e.proof().rip());
            case Event.Preempt e ->
                task + "preempted at 0x" + Long.toHexString(e.proof().rip());
            case Event.TaskExit e -> task + "ends with status 0x" + Integer.toHexString(e.status());
        };
    }

    static String name(int number) {
        SyscallRow row = SyscallTable.linux().find(number);
        return row == null ? "call " + number : row.name();
    }

    static String arguments(long[] args) {
        StringBuilder text = new StringBuilder("(");
        for (int i = 0; i < args.length; i++) {
            text.append(i == 0 ? "0x" : ", 0x").append(Long.toHexString(args[i]));
        }
        return text.append(')').toString();
    }
}
