package dev.eremite.replay.session;

import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.record.CallNumbers;
import java.util.HashSet;
import java.util.Set;

/**
 * Works out the wait status of a recording's first process from the events of its threads: that of exit_group(2) or of a
 * deadly signal, or, when every thread ended by itself, that of the first thread.
 */
public final class RootStatus {
    private final int root;
    private final Set<Integer> threads = new HashSet<>();
    private final Set<Integer> leaving = new HashSet<>();
    private int ofLeader;
    private int ofGroup = -1;

    /** For the process whose first thread has this recorded id. */
    public RootStatus(int root) {
        this.root = root;
        threads.add(root);
    }

    /** Takes note of an event; to be called with each, in order. */
    public void observe(Event event) {
        switch (event) {
            case Event.TaskExit exit -> ended(exit);
            case Event.Syscall call -> {
                if (call.effect() instanceof Effect.Spawn spawn && spawn.process() == root) {
                    threads.add(spawn.child());
                } else if (call.effect() instanceof Effect.Exec && threads.contains(call.task())) {
                    executed();
                } else if (call.number() == CallNumbers.EXIT) {
                    leaving.add(call.task());
                }
            }
            case Event.SyscallExit call -> {
                if (call.effect() instanceof Effect.Exec && threads.contains(call.task())) {
                    executed();
                }
            }
            case Event.SyscallEnter _, Event.Instruction _, Event.Signal _, Event.Preempt _ -> {}
        }
    }

    /** A new program has only the first thread, and whatever ended the others is of no account. */
    private void executed() {
        threads.clear();
        leaving.clear();
        threads.add(root);
        ofLeader = 0;
        ofGroup = -1;
    }

    private void ended(Event.TaskExit exit) {
        if (!threads.contains(exit.task())) {
            return;
        }
        if (!leaving.contains(exit.task())) {
            ofGroup = exit.status();
        }
        if (exit.task() == root) {
            ofLeader = exit.status();
        }
    }

    /** The status as wait(2) gives it. */
    public int status() {
        return ofGroup >= 0 ? ofGroup : ofLeader;
    }
}
