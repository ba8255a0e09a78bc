package dev.eremite.replay.session;

import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Event;
import java.util.HashSet;
import java.util.Set;

/**
 * Works out the wait status of a recording's first process from the events of its threads: that of exit_group(2) or of a
 * deadly signal, or, when every thread ended by itself, that of the last one (kernel/exit.c, synchronize_group_exit).
 */
public final class RootStatus {
    private final int root;
    private final Set<Integer> threads = new HashSet<>();
    private int status;

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
                }
            }
            case Event.SyscallExit call -> {
                if (call.effect() instanceof Effect.Exec && threads.contains(call.task())) {
                    executed();
                }
            }
            case Event.SyscallEnter _, Event.Instruction _, Event.ClockTrap _, Event.Signal _, Event.Preempt _ -> {}
        }
    }

    /** A new program has only the first thread, and whatever ended the others is of no account. */
    private void executed() {
        threads.clear();
        threads.add(root);
        status = 0;
    }

    private void ended(Event.TaskExit exit) {
        if (threads.contains(exit.task())) {
            status = exit.status();
        }
    }

    /** The status as wait(2) gives it. */
    public int status() {
        return status;
    }
}
