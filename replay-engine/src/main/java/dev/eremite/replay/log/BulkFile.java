package dev.eremite.replay.log;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * The side file for pieces too big for a document of the queue. A piece is written before the event that names it, by
 * offset, length and CRC-32C, so that an event which can be read has its pieces. One thread.
 */
final class BulkFile implements AutoCloseable {
    static final String NAME = "bulk.bin";

    private final Path path;
    private final boolean writing;
    private final CRC32C crc = new CRC32C();
    /** Not a channel: those are closed when their thread is interrupted. */
    private RandomAccessFile data;

    private long end;

    BulkFile(Path directory, boolean writing) {
        this.path = directory.resolve(NAME);
        this.writing = writing;
    }

    /** Appends a piece, and writes into {@code out} where it is. */
    void append(byte[] bytes, int offset, int length, ByteWriter out) {
        try {
            // Nobody else moves the position, so that it is the end already.
            open().write(bytes, offset, length);
        } catch (IOException e) {
            throw LogException.ofIo("cannot write " + path, e);
        }
        out.varint(end);
        out.varint(length);
        out.u32(checksum(bytes, offset, length));
        end += length;
    }

    /** The piece that the reader's next bytes name. */
    byte[] read(ByteReader in) {
        long offset = in.varint();
        int length = in.varint32();
        int expected = in.u32();
        byte[] piece;
        try {
            if (offset < 0 || length < 0 || offset > open().length() - length) {
                throw new LogException(
                        LogException.Code.DAMAGED, path + " is damaged: it ends before byte " + (offset + length));
            }
            piece = new byte[length];
            open().seek(offset);
            open().readFully(piece);
        } catch (IOException e) {
            throw LogException.ofIo("cannot read " + path, e);
        }
        if (checksum(piece, 0, length) != expected) {
            throw new LogException(
                    LogException.Code.DAMAGED,
                    path + " is damaged: " + length + " bytes at " + offset + " have another checksum");
        }
        return piece;
    }

    private int checksum(byte[] bytes, int offset, int length) {
        crc.reset();
        crc.update(bytes, offset, length);
        return (int) crc.getValue();
    }

    private RandomAccessFile open() throws IOException {
        if (data == null) {
            if (writing ? Files.exists(path) : !Files.isRegularFile(path)) {
                throw new LogException(LogException.Code.MISSING, path + (writing ? " exists already" : " is missing"));
            }
            data = new RandomAccessFile(path.toFile(), writing ? "rw" : "r");
        }
        return data;
    }

    @Override
    public void close() {
        if (data != null) {
            try {
                data.close();
            } catch (IOException e) {
                throw LogException.ofIo("cannot close " + path, e);
            }
        }
    }
}
