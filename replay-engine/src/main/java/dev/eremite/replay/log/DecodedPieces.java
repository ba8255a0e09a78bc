package dev.eremite.replay.log;

import java.util.LinkedHashMap;
import java.util.SequencedMap;

/** The pieces of the bulk file that were read last, decoded: data that repeats is named by many events. One thread. */
final class DecodedPieces {
    private static final long MOST_BYTES = 16L << 20;

    private record Key(BulkFile.Piece piece, boolean compressed, int length) {}

    private final SequencedMap<Key, byte[]> pieces = new LinkedHashMap<>(64, 0.75f, true);
    private long bytes;

    /** The data of a piece; null when it must be read. */
    byte[] find(BulkFile.Piece piece, boolean compressed, int length) {
        return pieces.get(new Key(piece, compressed, length));
    }

    /** Keeps data, which nobody may change from now on. */
    void keep(BulkFile.Piece piece, boolean compressed, byte[] data) {
        if (data.length > RepeatedData.LONGEST) {
            return;
        }
        pieces.put(new Key(piece, compressed, data.length), data);
        bytes += data.length;
        while (bytes > MOST_BYTES) {
            bytes -= pieces.pollFirstEntry().getValue().length;
        }
    }
}
