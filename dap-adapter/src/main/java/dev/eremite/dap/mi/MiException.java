package dev.eremite.dap.mi;

/** A command that GDB refused, in GDB's words. */
public final class MiException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** A refusal. */
    public MiException(String message) {
        super(message);
    }
}
