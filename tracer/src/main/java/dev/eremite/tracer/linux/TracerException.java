package dev.eremite.tracer.linux;

/** A kernel operation on a task failed in a way that the tracer does not expect. */
public final class TracerException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final String what;
    private final int errno;

    /** An operation that failed with an errno. */
    public TracerException(String what, int errno) {
        super(what + ": errno " + errno);
        this.what = what;
        this.errno = errno;
    }

    /** The operation that failed. */
    public String what() {
        return what;
    }

    /** The positive errno. */
    public int errno() {
        return errno;
    }
}
