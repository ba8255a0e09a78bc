package dev.eremite.replay.event;

/**
 * One mapping of guest memory.
 *
 * @param start first address, page-aligned
 * @param length bytes, a multiple of the page size
 * @param prot PROT_ bits of mmap(2)
 * @param flags MAP_ bits of mmap(2)
 * @param backing what it holds at first
 * @param name the path or name to show, possibly empty
 * @param traps offsets in bytes from the start, ascending, of opcodes that are made to fault: the byte there is
 *     {@link dev.eremite.replay.guest.TrappedInstruction#TRAP} in memory, and 0x0f in what backs it
 */
public record Mapping(long start, long length, int prot, int flags, Backing backing, String name, long[] traps) {
    private static final long[] NO_TRAPS = {};

    /** A mapping without traps. */
    public Mapping(long start, long length, int prot, int flags, Backing backing, String name) {
        this(start, length, prot, flags, backing, name, NO_TRAPS);
    }

    /** What a mapping holds at first. */
    public sealed interface Backing {
        /** Zeroes. */
        record Anonymous() implements Backing {
            /** The one value. */
            public static final Anonymous INSTANCE = new Anonymous();
        }

        /**
         * A private copy of recorded content.
         *
         * @param blob the content's SHA-256 in hexadecimal, 64 digits
         * @param offset bytes into the blob of the mapping's first byte, page-aligned
         */
        record Blob(String blob, long offset) implements Backing {}

        /**
         * Memory shared with every mapping of the same object, in whichever process.
         *
         * @param object a number unique in the recording
         * @param offset bytes into the object, page-aligned
         * @param size the object's size in bytes
         * @param initial the object's content when first mapped: a blob's SHA-256, or empty when it is known already or
         *     all zero
         */
        record Shared(int object, long offset, long size, String initial) implements Backing {}
    }
}
