package dev.eremite.detcore.syscall;

/** One system call of a stopped task, as an output description may look at it. */
public interface CallView {
    /** The call's number. */
    int number();

    /** Argument 0…5: rdi, rsi, rdx, r10, r8, r9 as they were at entry. */
    long arg(int index);

    /** rax after the call; negative errno on failure. Only valid when the call has ended. */
    long result();

    /** Reads guest memory; bytes that are not mapped read as zero. */
    byte[] read(long address, int length);

    /** Reads a 32-bit word of guest memory, 0 where not mapped. */
    int readInt(long address);

    /** Reads a 64-bit word of guest memory, 0 where not mapped. */
    long readLong(long address);

    /**
     * Whether this memory can be looked at. A call that is known from a recording alone shows only what the kernel wrote
     * into it; the rest of its arguments is told as addresses.
     */
    default boolean knows(long address, long length) {
        return true;
    }

    /** Whether the call failed: −4095 ≤ result ≤ −1. */
    default boolean failed() {
        return result() < 0 && result() >= -4095;
    }
}
