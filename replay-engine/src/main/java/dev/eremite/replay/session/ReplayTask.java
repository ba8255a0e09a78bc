package dev.eremite.replay.session;

import dev.eremite.tracer.linux.Tracee;

/** A guest thread in replay: the recorded thread that a task of this machine stands for. */
public final class ReplayTask {
    private final int tid;
    private final ReplayProcess process;
    private Tracee tracee;
    private boolean inCall;
    private String name;

    ReplayTask(int tid, ReplayProcess process, Tracee tracee, String name) {
        this.tid = tid;
        this.process = process;
        this.tracee = tracee;
        this.name = name;
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

    /** What the guest calls it (PR_SET_NAME of prctl(2)), at first after its program; its bytes as ISO 8859-1. */
    public String name() {
        return name;
    }

    void name(String given) {
        name = given;
    }

    /** Whether it has entered a call whose end comes in a later event. */
    public boolean inCall() {
        return inCall;
    }

    void inCall(boolean entered) {
        inCall = entered;
    }
}
