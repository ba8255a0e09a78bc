package dev.eremite.detcore.syscall;

import java.util.List;
import java.util.Optional;
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
 * @param refusals variants of the call that fail although the row itself is not refused (prctl options, unknown ioctls)
 * @param result how the result is printed
 */
public record SyscallRow(
        int number,
        String name,
        List<Parameter> parameters,
        Handling handling,
        List<Output> outputs,
        Predicate<CallView> mayBlock,
        int errno,
        String reason,
        List<Refusal> refusals,
        Kind result) {
    /**
     * A parameter.
     *
     * @param name as in the man page
     * @param kind how to print it
     * @param symbols with FLAGS its symbolic names, else null
     */
    public record Parameter(String name, Kind kind, Symbols symbols) {
        /** A parameter without symbolic names. */
        public Parameter(String name, Kind kind) {
            this(name, kind, null);
        }
    }

    /**
     * A variant of a call that is answered without the kernel.
     *
     * @param when whether it holds; looks at arguments only
     * @param errno the positive errno
     * @param reason why
     */
    public record Refusal(Predicate<CallView> when, int errno, String reason) {}

    /** How a parameter is printed. */
    public enum Kind {
        INT,
        LONG,
        UNSIGNED,
        UNSIGNED_INT,
        HEX,
        HEX_INT,
        OCTAL,
        FILE_MODE,
        CREATE_MODE,
        FD,
        DIRFD,
        POINTER,
        STRING,
        STRING_VECTOR,
        ENVIRONMENT,
        STRING_OUT,
        BUFFER_IN,
        BUFFER_OUT,
        BYTES_OUT,
        TIMESPEC,
        FD_PAIR_OUT,
        STATUS_OUT,
        FLAGS,
        SIGNAL
    }

    /** The predicate of the calls that never wait. */
    static final Predicate<CallView> NEVER_BLOCKS = call -> false;

    /** Whether the call can wait with any arguments at all. */
    public boolean canBlock() {
        return !mayBlock.equals(NEVER_BLOCKS);
    }

    /** Why this call fails without the kernel, or empty when it does not. */
    public Optional<Refusal> refusal(CallView call) {
        for (Refusal refusal : refusals) {
            if (refusal.when().test(call)) {
                return Optional.of(refusal);
            }
        }
        return Optional.empty();
    }

    /** Reports all memory that the call wrote; ask when it has ended. */
    public void collectOutputs(CallView call, Output.Sink sink) {
        for (Output output : outputs) {
            output.collect(call, sink);
        }
    }
}
