package dev.eremite.tracer.linux;

/** The task no longer exists or is dying (ESRCH): somebody killed it. */
public final class TaskGoneException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final int tid;

    /** The task with that kernel id is gone. */
    public TaskGoneException(int tid) {
        super("task " + tid + " is gone");
        this.tid = tid;
    }

    /** The kernel's id of the task. */
    public int tid() {
        return tid;
    }
}
