package dev.eremite.replay.record;

import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;

/** The guest made a system call that the table has no row for; the recording cannot go on. */
public final class UnknownSyscallException extends UsageException {
    private static final long serialVersionUID = 1;

    UnknownSyscallException(int number) {
        super(ErrorCode.UNKNOWN_SYSCALL, "the program made system call number " + number);
    }
}
