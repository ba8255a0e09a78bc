package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.Condition;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.session.ReplayTask;
import java.util.HashSet;
import java.util.Set;

/** What of a recording the debugger looks at: one process, and the signals that it wants to hear of. */
final class DebugScope {
    private static final int SIGKILL = 9;

    private final int process;
    private final OutputGate output;
    private final Set<Integer> passed = new HashSet<>();
    private ReplaySession examined;

    DebugScope(int process, OutputGate output) {
        this.process = process;
        this.output = output;
    }

    int process() {
        return process;
    }

    OutputGate output() {
        return output;
    }

    void pass(Set<Integer> signals) {
        passed.clear();
        passed.addAll(signals);
    }

    boolean sees(ReplayTask task) {
        return task.process().pid() == process;
    }

    /** Some thread of the process, or null when it has none. */
    ReplayTask anyTask(ReplaySession session) {
        for (ReplayTask task : session.tasks().values()) {
            if (sees(task)) {
                return task;
            }
        }
        return null;
    }

    /** Whether nothing of the process is left to come: its last thread is about to end, or the recording is. */
    boolean ended(ReplaySession session) {
        if (session.atEnd()) {
            return true;
        }
        if (!(session.nextEvent() instanceof Event.TaskExit exit)) {
            return false;
        }
        ReplayTask task = session.tasks().get(exit.task());
        if (task == null || !sees(task)) {
            return false;
        }
        long left = session.tasks().values().stream().filter(this::sees).count();
        return left == 1;
    }

    /** Whether the debugger is to be told of the event that is about to happen: a signal of the process. */
    boolean reports(ReplaySession session) {
        return session.nextEvent() instanceof Event.Signal signal
                && session.nextTask() != null
                && sees(session.nextTask())
                && wants(signal.signal());
    }

    /** Whether the debugger is to be told of a signal by number. */
    boolean wants(int signal) {
        return !passed.contains(signal) && signal != SIGKILL;
    }

    /** The session to whose state conditions refer while they are evaluated, else null. */
    ReplaySession examined() {
        return examined;
    }

    boolean evaluate(Condition condition, ReplaySession session, ReplayTask task) {
        ReplaySession before = examined;
        examined = session;
        try {
            return condition.holds(process, task.tid());
        } finally {
            examined = before;
        }
    }
}
