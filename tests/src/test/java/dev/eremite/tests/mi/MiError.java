package dev.eremite.tests.mi;

/** GDB answered a command with an error, ended, or did not answer in time. */
public final class MiError extends AssertionError {
    private static final long serialVersionUID = 1L;

    /** Says what went wrong; the transcript's end follows. */
    public MiError(String message) {
        super(message);
    }
}
