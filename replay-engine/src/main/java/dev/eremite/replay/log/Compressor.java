package dev.eremite.replay.log;

import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Raw deflate at its fastest level. One thread; holds native memory until closed. */
final class Compressor implements AutoCloseable {
    /** What deflate can expand to at most, per stored byte. */
    static final int MAX_RATIO = 1040;

    /**
     * After data for which it did not pay, longer data is compressed only if it pays for as much of its beginning: what is
     * compressed already, as many files are, takes longest.
     */
    private static final int SAMPLE = 4096;

    private Deflater deflater;
    private Inflater inflater;
    private boolean pays = true;

    /** Puts the compressed bytes at the writer's position; returns their number, or −1 where it does not pay. */
    int compress(byte[] source, int offset, int length, ByteWriter out) {
        if (deflater == null) {
            deflater = new Deflater(Deflater.BEST_SPEED, true);
        }
        if (length <= 2 * SAMPLE) {
            return deflate(source, offset, length, out);
        }
        if (!pays && deflate(source, offset, SAMPLE, out) < 0) {
            return -1;
        }
        int stored = deflate(source, offset, length, out);
        pays = stored >= 0;
        return stored;
    }

    private int deflate(byte[] source, int offset, int length, ByteWriter out) {
        int worthwhile = length - length / 8;
        deflater.reset();
        deflater.setInput(source, offset, length);
        deflater.finish();
        int stored = deflater.deflate(out.reserve(worthwhile), out.position(), worthwhile);
        return deflater.finished() ? stored : -1;
    }

    /** Restores exactly {@code length} bytes; any other content is an {@link IndexOutOfBoundsException}. */
    byte[] expand(byte[] source, int offset, int stored, int length) {
        if (length < 0 || length > (long) stored * MAX_RATIO) {
            throw new IndexOutOfBoundsException("cannot expand " + stored + " bytes to " + length);
        }
        if (inflater == null) {
            inflater = new Inflater(true);
        }
        byte[] bytes = new byte[length];
        inflater.reset();
        inflater.setInput(source, offset, stored);
        try {
            int done = inflater.inflate(bytes);
            // One byte more must not come out, and the stream must say that it ends here.
            if (done != length || inflater.inflate(new byte[1]) != 0 || !inflater.finished()) {
                throw new IndexOutOfBoundsException("compressed content has another length");
            }
        } catch (DataFormatException e) {
            throw (IndexOutOfBoundsException) new IndexOutOfBoundsException("compressed content").initCause(e);
        }
        return bytes;
    }

    @Override
    public void close() {
        if (deflater != null) {
            deflater.end();
        }
        if (inflater != null) {
            inflater.end();
        }
    }
}
