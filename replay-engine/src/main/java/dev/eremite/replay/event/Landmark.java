package dev.eremite.replay.event;

import java.util.List;

/**
 * A point inside a segment, named without counters: the first visit of {@code registers[rip]} since the segment's
 * start at which all registers, words and spans are the same, and whose fingerprint matches too.
 *
 * @param registers user_regs_struct (27 longs) at the point
 * @param vectors the registers xmm0 to xmm15, of each the lower half first (32 longs); empty when not known
 * @param words memory words that change from round to round there, with their values; may be empty
 * @param spans memory that tells the point from others where the words do not: the stack up to its outermost frames, and
 *     the program's data as far as replay repeats it; may be empty
 * @param fingerprint a hash of the vector registers and of the pages that hold the words; 0 when none was taken
 */
public record Landmark(long[] registers, long[] vectors, List<Word> words, List<Span> spans, long fingerprint) {
    /** A point that registers and words name. */
    public Landmark(long[] registers, List<Word> words, long fingerprint) {
        this(registers, new long[0], words, List.of(), fingerprint);
    }

    /** An aligned 8-byte word of guest memory. */
    public record Word(long address, long value) {}

    /**
     * A stretch of guest memory.
     *
     * @param address the first byte
     * @param length bytes
     * @param hash of its contents
     */
    public record Span(long address, int length, long hash) {}
}
