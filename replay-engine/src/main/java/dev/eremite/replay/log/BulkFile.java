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

    /** A piece in the file: where it is, how many bytes, and their CRC-32C. */
    record Piece(long offset, int length, int checksum) {
        /** The piece that the reader's next bytes name. */
        static Piece of(ByteReader in) {
            return new Piece(in.varint(), in.varint32(), in.u32());
        }

        /** Names it. */
        void write(ByteWriter out) {
            out.varint(offset);
            out.varint(length);
            out.u32(checksum);
        }
    }

    BulkFile(Path directory, boolean writing) {
        this.path = directory.resolve(NAME);
        this.writing = writing;
    }

    /** Appends a piece. */
    Piece append(byte[] bytes, int offset, int length) {
        try {
            // Nobody else moves the position, so that it is the end already.
            open().write(bytes, offset, length);
        } catch (IOException e) {
            throw LogException.ofIo("cannot write " + path, e);
        }
        Piece piece = new Piece(end, length, checksum(bytes, offset, length));
        end += length;
        return piece;
    }

    /** The bytes of a piece. */
    byte[] read(Piece piece) {
        long offset = piece.offset;
        int length = piece.length;
        byte[] bytes;
        try {
            if (offset < 0 || length < 0 || offset > open().length() - length) {
                throw new LogException(
                        LogException.Code.DAMAGED, path + " is damaged: it ends before byte " + (offset + length));
            }
            bytes = new byte[length];
            open().seek(offset);
            open().readFully(bytes);
        } catch (IOException e) {
            throw LogException.ofIo("cannot read " + path, e);
        }
        if (checksum(bytes, 0, length) != piece.checksum) {
            throw new LogException(
                    LogException.Code.DAMAGED,
                    path + " is damaged: " + length + " bytes at " + offset + " have another checksum");
        }
        return bytes;
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
