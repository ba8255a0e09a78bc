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
        Reason reason = switch (hit.kind()) {
            case SOFTWARE -> Reason.BREAKPOINT;
            case HARDWARE -> Reason.HARDWARE_BREAKPOINT;
            case WRITE -> Reason.WATCH;
            case READ -> Reason.READ_WATCH;
            case ACCESS -> Reason.ACCESS_WATCH;
        };
        boolean code = hit.kind() == BreakpointKind.SOFTWARE || hit.kind() == BreakpointKind.HARDWARE;
        return stop(session, reason, 0, code ? 0 : hit.address(), null);
    }

    /** Before a signal, which is the next event. */
    Stop signal(ReplaySession session) {
        Event.Signal signal = (Event.Signal) session.nextEvent();
        return stop(session, Reason.SIGNAL, signal.signal(), 0, session.nextTask());
    }

    /** In a thread, null for the one that runs next or ran last. */
    Stop at(ReplaySession session, Reason reason, ReplayTask where) {
        return stop(session, reason, 0, 0, where);
    }

    /** What became of the process at the end of its history, for the user. */
    String ending(ReplaySession session) {
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

    /** Whether it is the process's first thread, whose status is that of the process, or one that is left. */
    private boolean belongs(ReplaySession session, int task) {
        ReplayTask alive = session.tasks().get(task);
        return alive == null ? task == scope.process() : scope.sees(alive);
    }

    private Stop stop(ReplaySession session, Reason reason, int signal, long address, ReplayTask where) {
        ReplayTask task = where != null ? where : presentTask(session);
        return new Stop(reason, scope.process(), task == null ? 0 : task.tid(), signal, address, session.position());
    }

    private ReplayTask presentTask(ReplaySession session) {
        ReplayTask next = session.nextTask();
        if (next != null && scope.sees(next) && (session.moved() || session.ranToEvent())) {
            return next;
        }
        for (long n = session.position() - 1; n >= 0; n--) {
            ReplayTask task = session.tasks().get(source.event(n).task());
            if (task != null && scope.sees(task)) {
                return task;
            }
        }
        return scope.anyTask(session);
    }
}
