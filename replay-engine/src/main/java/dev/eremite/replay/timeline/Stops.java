package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.Breakpoint;
import dev.eremite.replay.debug.DebugTarget.BreakpointKind;
import dev.eremite.replay.debug.Stop;
import dev.eremite.replay.debug.Stop.Reason;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.session.RecordingSource;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.session.ReplayTask;

/** Describes where and why a replay stands. */
final class Stops {
    private final DebugScope scope;
    private final RecordingSource source;

    Stops(DebugScope scope, RecordingSource source) {
        this.scope = scope;
        this.source = source;
    }

    /** At a breakpoint or watchpoint. */
    Stop hit(ReplaySession session, Breakpoint hit) {
        return stop(session, reason(hit), address(hit), presentTask(session, hit.process()));
    }

    static Reason reason(Breakpoint hit) {
        return switch (hit.kind()) {
            case SOFTWARE -> Reason.BREAKPOINT;
            case HARDWARE -> Reason.HARDWARE_BREAKPOINT;
            case WRITE -> Reason.WATCH;
            case READ -> Reason.READ_WATCH;
            case ACCESS -> Reason.ACCESS_WATCH;
        };
    }

    /** What a stop tells of the watched address: 0 for a breakpoint. */
    static long address(Breakpoint hit) {
        boolean code = hit.kind() == BreakpointKind.SOFTWARE || hit.kind() == BreakpointKind.HARDWARE;
        return code ? 0 : hit.address();
    }

    /** At an event that is to be told. */
    Stop event(ReplaySession session, EventStop told) {
        return new Stop(
                told.reason(), told.process(), told.thread(), told.number(), 0, session.position(), told.program());
    }

    /** In a thread, null for the one that runs next or ran last. */
    Stop at(ReplaySession session, Reason reason, ReplayTask where) {
        return stop(session, reason, 0, where != null ? where : presentTask(session, 0));
    }

    /** What the user should know of a stop, lines ended by newline; empty when nothing. */
    String notice(Stop stop, boolean forward, ReplaySession session) {
        return switch (stop.reason()) {
            case HISTORY_END -> ending(session);
            case APPEARED -> "eremite: process " + stop.process() + " ends here\n";
            case EXITED ->
                forward ? "" : "eremite: process " + stop.process() + " begins here; before it does not exist\n";
            default -> "";
        };
    }

    /** What became of the debugged process at the end of its history, for the user. */
    private String ending(ReplaySession session) {
        for (long n = Math.min(session.position(), source.size() - 1); n >= 0; n--) {
            if (source.event(n) instanceof Event.TaskExit exit && belongs(session, exit.task())) {
                int signal = exit.status() & 0x7f;
                String how = signal == 0
                        ? "exits with status " + (exit.status() >> 8 & 0xff)
                        : "is killed by signal " + signal;
                return "eremite: the program " + how + " here\n";
            }
        }
        return "eremite: the recording is cut short here\n";
    }

    /** Whether it is a process's first thread, whose status is that of the process, or one that is left. */
    private boolean belongs(ReplaySession session, int task) {
        ReplayTask alive = session.tasks().get(task);
        return alive == null ? scope.sees(task) : scope.sees(alive);
    }

    private Stop stop(ReplaySession session, Reason reason, long address, ReplayTask task) {
        return task == null
                ? new Stop(reason, 0, 0, 0, address, session.position())
                : new Stop(reason, task.process().pid(), task.tid(), 0, address, session.position());
    }

    /** The thread that runs next or ran last, of a process or, with 0, of any that is seen. */
    private ReplayTask presentTask(ReplaySession session, int process) {
        ReplayTask next = session.nextTask();
        if (isOf(next, process) && (session.moved() || session.ranToEvent())) {
            return next;
        }
        for (long n = session.position() - 1; n >= 0; n--) {
            ReplayTask task = session.tasks().get(source.event(n).task());
            if (isOf(task, process)) {
                return task;
            }
        }
        return process == 0 ? scope.anyTask(session) : scope.anyTask(session, process);
    }

    private boolean isOf(ReplayTask task, int process) {
        return task != null
                && scope.sees(task)
                && (process == 0 || task.process().pid() == process);
    }
}
