package dev.eremite.replay.record;

import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;

/** The guest is, or has started, a program of a kind that cannot be recorded. */
public final class UnsupportedProgramException extends UsageException {
    private static final long serialVersionUID = 1;

    UnsupportedProgramException(ErrorCode code, String message) {
        super(code, message);
    }
}
