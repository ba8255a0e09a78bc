package dev.eremite.detcore.syscall;

/**
 * Which memory the kernel wrote in one call. It is asked after the call; it also decides itself whether it holds when the
 * call failed (most do not). The same description serves recording, replaying and checking.
 *
 * <p>A range may be larger than what was written, where the kernel does not tell how much it was. The bytes beyond are then
 * what memory holds anyway, but a sink must clip a range at the end of the mapping that it starts in.
 */
@FunctionalInterface
public interface Output {
    /** Reports each range that the call wrote; null addresses and lengths of zero or less are ignored by the sink. */
    void collect(CallView call, Sink sink);

    /** Receives ranges. */
    @FunctionalInterface
    interface Sink {
        /** {@code length} bytes at {@code address} were (or may have been) written. */
        void range(long address, long length);
    }
}
