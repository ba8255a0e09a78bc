package dev.eremite.tests.command;

import java.time.Duration;

/** A command that had to be killed because it did not end in time. */
public final class DeadlineExceeded extends AssertionError {
    private static final long serialVersionUID = 1L;

    private final transient CommandResult sofar;

    /** Names the command, its limit and what it had printed. */
    public DeadlineExceeded(String line, Duration deadline, CommandResult sofar) {
        super("no end within " + deadline.toMillis() + " ms: " + line + "\nstdout so far: " + tail(sofar.output())
                + "\nstderr so far: " + tail(sofar.errors()));
        this.sofar = sofar;
    }

    /** What the command had printed; its status is -1. */
    public CommandResult soFar() {
        return sofar;
    }

    private static String tail(String text) {
        return text.substring(Math.max(0, text.length() - 1500));
    }
}
