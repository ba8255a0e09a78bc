package dev.eremite.replay.log;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/**
 * Looks at a file through a buffer that moves. Not a mapping: memory stays the same however long the file is, and a file
 * that is cut while it is read is an error and not a fault. One thread.
 */
final class FileWindow implements AutoCloseable {
    /** Read ahead where one look follows another, and where it does not. */
    private static final int AHEAD = 256 << 10;

    private static final int APART = 16 << 10;

    private final Path path;
    private final RandomAccessFile file;
    private final long size;
    private byte[] window = new byte[AHEAD];
    private long start;
    private int length;

    FileWindow(Path path) {
        this.path = path;
        try {
            file = new RandomAccessFile(path.toFile(), "r");
            size = file.length();
        } catch (IOException e) {
            throw LogException.ofIo("cannot read " + path, e);
        }
    }

    /** The file's size in bytes when it was opened. */
    long size() {
        return size;
    }

    int u8(long position) {
        return window[at(position, 1)] & 0xFF;
    }

    int u32(long position) {
        return (int) ByteWriter.INT.get(window, at(position, Integer.BYTES));
    }

    long u64(long position) {
        return (long) ByteWriter.LONG.get(window, at(position, Long.BYTES));
    }

    void copy(long position, byte[] into, int offset, int bytes) {
        System.arraycopy(window, at(position, bytes), into, offset, bytes);
    }

    /** Where in the window those bytes are, which must lie in the file. */
    private int at(long position, int bytes) {
        if (position < start || position + bytes > start + length) {
            move(position, bytes);
        }
        return (int) (position - start);
    }

    private void move(long position, int bytes) {
        if (position < 0 || position > size - bytes) {
            throw new IndexOutOfBoundsException("byte " + position + " of " + size);
        }
        boolean onwards = position >= start && position <= start + length;
        int wanted = (int) Math.min(size - position, Math.max(bytes, onwards ? AHEAD : APART));
        if (window.length < wanted) {
            window = new byte[wanted];
        }
        try {
            length = 0;
            file.seek(position);
            file.readFully(window, 0, wanted);
            start = position;
            length = wanted;
        } catch (IOException e) {
            throw LogException.ofIo("cannot read " + path, e);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw LogException.ofIo("cannot close " + path, e);
        }
    }
}
