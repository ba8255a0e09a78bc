package dev.eremite.replay.record;

/** The guest is, or has started, a program of a kind that cannot be recorded. */
public final class UnsupportedProgramException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnsupportedProgramException(String message) {
        super(message);
    }
}
