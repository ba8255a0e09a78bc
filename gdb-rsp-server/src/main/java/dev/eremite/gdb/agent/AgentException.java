package dev.eremite.gdb.agent;

/** An agent expression that cannot be evaluated: bad code, unmapped memory, a division by zero, too many steps. */
public final class AgentException extends RuntimeException {
    /** An error with a text for people. */
    public AgentException(String message) {
        super(message, null, false, false);
    }
}
