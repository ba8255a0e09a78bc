package dev.eremite.replay.event;

import java.util.List;

/**
 * A point inside a segment, named without counters: the first visit of {@code registers[rip]} since the segment's
 * start at which all registers and all the words have these values, whose memory fingerprint matches too.
 *
 * @param registers user_regs_struct (27 longs) at the point
 * @param words memory words that change from round to round there, with their values; may be empty
 * @param fingerprint a hash of the memory near the stack pointer and of the words; 0 when none was taken
 */
public record Landmark(long[] registers, List<Word> words, long fingerprint) {
    /** An aligned 8-byte word of guest memory. */
    public record Word(long address, long value) {}
}
