package dev.eremite.replay.record;

import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;

/** The guest is, or has started, a program of a kind that cannot be recorded. */
public final class UnsupportedProgramException extends UsageException {
    private static final long serialVersionUID = 1;

    UnsupportedProgramException(String message) {
        super(ErrorCode.PROGRAM_NOT_64_BIT, message);
    }
}
