package dev.eremite.replay.log;

import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The latest data that was logged, in fixed memory, so that the same bytes need not be compressed and stored again: databases
 * read their pages over and over, and compilers their headers. What is found is the same byte by byte. One thread.
 */
final class RepeatedData {
    /** Shorter data is not looked for; longer data would push out too much. */
    static final int SHORTEST = 1024;

    static final int LONGEST = 1 << 20;

    private static final int CHUNKS = 16;

    /** So many slots are looked at for each hash. */
    private static final int WAYS = 4;

    private static final int SLOTS = 8192;

    /** Data that was logged once. */
    static final class Known {
        private final int hash;
        private final int length;
        /** Where its copy is, counted in bytes since the first one; chunk after chunk is used, then the first again. */
        private final long start;

        private BulkFile.Piece piece;
        private boolean compressed;

        private Known(int hash, int length, long start) {
            this.hash = hash;
            this.length = length;
            this.start = start;
        }

        /** Where it lies in the bulk file, or null. */
        BulkFile.Piece piece() {
            return piece;
        }

        boolean compressed() {
            return compressed;
        }

        /** From now on it lies in the bulk file. */
        void storedAt(BulkFile.Piece place, boolean compressedThere) {
            piece = place;
            compressed = compressedThere;
        }
    }

    private final byte[][] chunks = new byte[CHUNKS][];
    private final Known[] slots = new Known[SLOTS];
    private final CRC32C crc = new CRC32C();
    private long next;

    /** What is known of the same bytes; null, and they are known from now on, where that is nothing. */
    Known find(byte[] bytes) {
        if (bytes.length < SHORTEST || bytes.length > LONGEST) {
            return null;
        }
        crc.reset();
        crc.update(bytes, 0, bytes.length);
        int hash = (int) crc.getValue();
        int oldest = -1;
        for (int i = 0; i < WAYS; i++) {
            int slot = hash + i & SLOTS - 1;
            Known known = slots[slot];
            if (isKept(known) && known.hash == hash && isCopy(known, bytes)) {
                return known;
            }
            if (oldest < 0 || start(slots[slot]) < start(slots[oldest])) {
                oldest = slot;
            }
        }
        slots[oldest] = keep(bytes, hash);
        return null;
    }

    private static long start(Known known) {
        return known == null ? -1 : known.start;
    }

    /** Whether its copy has not been overwritten. */
    private boolean isKept(Known known) {
        return known != null && known.start / LONGEST > next / LONGEST - CHUNKS;
    }

    private boolean isCopy(Known known, byte[] bytes) {
        int offset = (int) (known.start % LONGEST);
        return known.length == bytes.length
                && Arrays.equals(chunk(known.start), offset, offset + known.length, bytes, 0, bytes.length);
    }

    private Known keep(byte[] bytes, int hash) {
        if (next % LONGEST + bytes.length > LONGEST) {
            next += LONGEST - next % LONGEST;
        }
        System.arraycopy(bytes, 0, chunk(next), (int) (next % LONGEST), bytes.length);
        Known known = new Known(hash, bytes.length, next);
        next += bytes.length;
        return known;
    }

    private byte[] chunk(long position) {
        int index = (int) (position / LONGEST % CHUNKS);
        if (chunks[index] == null) {
            chunks[index] = new byte[LONGEST];
        }
        return chunks[index];
    }
}
