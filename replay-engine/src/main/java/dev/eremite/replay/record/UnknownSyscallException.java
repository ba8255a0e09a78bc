package dev.eremite.replay.record;

/** The guest made a system call that the table has no row for; the recording cannot go on. */
public final class UnknownSyscallException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnknownSyscallException(int number) {
        super("the program made system call number " + number + ", which this version does not know");
    }
}
