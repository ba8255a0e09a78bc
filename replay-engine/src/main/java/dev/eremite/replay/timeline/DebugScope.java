package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.Condition;
import dev.eremite.replay.debug.DebugTarget.ProcessEvent;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.session.ReplayTask;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.IntPredicate;

/** What of a recording the debugger looks at: some processes, and the signals, calls and events that it wants to hear of. */
final class DebugScope {
    /** The signal in a wait status (wait(2)). */
    private static final int SIGNAL_MASK = 0x7f;

    private static final int SIGKILL = 9;

    private final int first;
    private final Set<Integer> processes = new LinkedHashSet<>();
    private final OutputGate output;
    private final Set<Integer> passed = new HashSet<>();
    private final Set<ProcessEvent> told = new HashSet<>();
    /** Parents whose children use their memory, as the debugger was told. */
    private final Set<Integer> awaiting = new HashSet<>();

    private IntPredicate calls;
    private boolean leaving;
    private ReplaySession examined;

    DebugScope(int process, OutputGate output) {
        this.first = process;
        this.output = output;
        processes.add(process);
    }

    /** Sees the first process alone again. */
    void beginAgain() {
        processes.clear();
        processes.add(first);
        awaiting.clear();
        leaving = false;
    }

    /** Sees the first process alone again where none of those that are seen exists. */
    void beginAgainIfEmpty(ReplaySession session) {
        if (anyTask(session) == null) {
            beginAgain();
        }
    }

    /** The debugger has gone; where it has left all processes, the next one sees the first if that exists. */
    void debuggerGone(ReplaySession session) {
        awaiting.clear();
        boolean exists = session.tasks().values().stream()
                .anyMatch(task -> task.process().pid() == first);
        if (leaving && exists) {
            beginAgain();
        }
        leaving = false;
    }

    /** The process ids that are seen where they exist. */
    Set<Integer> processes() {
        return processes;
    }

    /** Sees the child of a process that is seen. */
    void adopt(int child) {
        processes.add(child);
    }

    /** Sees a process no longer that does not exist. */
    void forget(int process) {
        processes.remove(process);
    }

    /** Sees one more process. */
    void attach(int process) {
        if (leaving) {
            processes.clear();
            leaving = false;
        }
        processes.add(process);
    }

    /**
     * Sees a process no longer; the last one that exists stays, as long as no other comes.
     *
     * @param session where the debugger stands
     */
    void detach(int process, ReplaySession session) {
        awaiting.remove(process);
        boolean others = session.tasks().values().stream()
                .anyMatch(task -> sees(task) && task.process().pid() != process);
        if (others) {
            processes.remove(process);
        } else {
            leaving = true;
        }
    }

    OutputGate output() {
        return output;
    }

    void pass(Set<Integer> signals) {
        passed.clear();
        passed.addAll(signals);
    }

    void catchCalls(IntPredicate wanted) {
        calls = wanted;
    }

    /** Whether the debugger wants to hear of any system call. */
    boolean catchesCalls() {
        return calls != null;
    }

    /** Whether the debugger wants to hear of a system call by number. */
    boolean catches(int number) {
        return calls != null && calls.test(number);
    }

    void tell(Set<ProcessEvent> events) {
        told.clear();
        told.addAll(events);
    }

    /** Whether the debugger understands stops for such events. */
    boolean tells(ProcessEvent event) {
        return told.contains(event);
    }

    /** Notes whether the debugger waits to hear that a process has its memory for itself again. */
    void awaitMemory(int process, boolean waits) {
        if (waits) {
            awaiting.add(process);
        } else {
            awaiting.remove(process);
        }
    }

    boolean awaitsMemory(int process) {
        return awaiting.contains(process);
    }

    boolean sees(int process) {
        return processes.contains(process);
    }

    boolean sees(ReplayTask task) {
        return processes.contains(task.process().pid());
    }

    /** Some thread that is seen, or null when there is none. */
    ReplayTask anyTask(ReplaySession session) {
        for (ReplayTask task : session.tasks().values()) {
            if (sees(task)) {
                return task;
            }
        }
        return null;
    }

    /** Some thread of a process that is seen, or null when it has none. */
    ReplayTask anyTask(ReplaySession session, int process) {
        for (ReplayTask task : session.tasks().values()) {
            if (task.process().pid() == process && sees(task)) {
                return task;
            }
        }
        return null;
    }

    /**
     * Whether nothing that is seen is left to come: the last thread is about to end, or the recording is, or a signal is about
     * to end all threads there are, which are better looked at before.
     */
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
        boolean killed = (exit.status() & SIGNAL_MASK) != 0;
        return session.tasks().values().stream()
                .filter(this::sees)
                .allMatch(other -> other == task || killed && other.process() == task.process());
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
            return condition.holds(task.process().pid(), task.tid());
        } finally {
            examined = before;
        }
    }
}
