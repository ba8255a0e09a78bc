package dev.eremite.replay.session;

import dev.eremite.tracer.linux.Tracee;

/** A guest thread in replay: the recorded thread that a task of this machine stands for. */
public final class ReplayTask {
    private final int tid;
    private final ReplayProcess process;
    private Tracee tracee;
    private boolean inCall;

    ReplayTask(int tid, ReplayProcess process, Tracee tracee) {
        this.tid = tid;
        this.process = process;
        this.tracee = tracee;
    }

    /** The recorded thread id. */
    public int tid() {
        return tid;
    }

    /** The process it belongs to. */
    public ReplayProcess process() {
        return process;
    }

    /** The task that stands for it. */
    public Tracee tracee() {
        return tracee;
    }

    void replaceTracee(Tracee other) {
        tracee = other;
    }

    /** Whether it has entered a call whose end comes in a later event. */
    public boolean inCall() {
        return inCall;
    }

    void inCall(boolean entered) {
        inCall = entered;
    }
}
