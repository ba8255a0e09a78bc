package dev.eremite.detcore.syscall;

import java.util.List;
import java.util.function.Predicate;

/**
 * One system call.
 *
 * @param number the x86-64 number
 * @param name its name in Linux's table
 * @param parameters its parameters, 0 to 6, for decoding
 * @param handling how it is treated
 * @param outputs which memory it writes
 * @param mayBlock whether it may wait in the kernel for something that other tasks or the world do; looks at arguments only
 * @param errno with REFUSE the positive errno, else 0
 * @param reason with REFUSE why, else empty
 */
public record SyscallRow(
        int number,
        String name,
        List<Parameter> parameters,
        Handling handling,
        List<Output> outputs,
        Predicate<CallView> mayBlock,
        int errno,
        String reason) {
    /** A parameter: its name as in the man page and how to print it. */
    public record Parameter(String name, Kind kind) {}

    /** How a parameter is printed. */
    public enum Kind {
        INT,
        UNSIGNED,
        HEX,
        OCTAL,
        FD,
        POINTER,
        STRING,
        STRING_VECTOR,
        BUFFER_IN,
        BUFFER_OUT,
        FLAGS,
        SIGNAL
    }
}
