package dev.eremite.dap.protocol;

/** A request that cannot be fulfilled; the message is for the user. */
public final class RequestFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** A failure that the client shows. */
    public RequestFailure(String message) {
        super(message);
    }

    /** A failure that the client shows, with its cause. */
    public RequestFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
