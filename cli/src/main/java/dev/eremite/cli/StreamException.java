package dev.eremite.cli;

import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;
import java.io.IOException;

/** A standard stream could not be written. */
public final class StreamException extends UsageException {
    private static final long serialVersionUID = 1L;

    private final boolean brokenPipe;

    /** That stream, 1 or 2, could not be written. */
    public StreamException(int stream, IOException cause) {
        super(
                ErrorCode.OUTPUT,
                "cannot write to standard " + (stream == 1 ? "output" : "error") + ": " + cause.getMessage(),
                cause);
        brokenPipe = String.valueOf(cause.getMessage()).contains("Broken pipe");
    }

    /** Whether it is a pipe that nobody reads any more. */
    public boolean brokenPipe() {
        return brokenPipe;
    }
}
