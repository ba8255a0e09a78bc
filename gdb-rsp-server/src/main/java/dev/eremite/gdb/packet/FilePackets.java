package dev.eremite.gdb.packet;

import dev.eremite.gdb.codec.PacketCursor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code vFile:OPERATION:…}: the client reads the executable and the libraries out of the recording. */
final class FilePackets {
    /** One operation. */
    @FunctionalInterface
    private interface FileOperation {
        Reply run(PacketCursor in, OpenFiles files) throws FileError, IOException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(FilePackets.class);
    private static final int MAX_READ = DebugSession.PACKET_SIZE / 2 - 32;
    private static final int WRITE_FLAGS = 0x1 | 0x2 | 0x8 | 0x200 | 0x400;
    private static final int REGULAR_READABLE = 0100444;
    private static final int STAT_BYTES = 64;
    private static final int BLOCK = 4096;

    private static final Map<String, FileOperation> OPERATIONS = Map.of(
            // One file system for all processes: the recording's.
            "setfs", (in, files) -> Reply.text("F0"),
            "open", FilePackets::open,
            "pread", FilePackets::read,
            "fstat", (in, files) -> status(files.status(descriptor(in))),
            "stat", FilePackets::statusByName,
            "readlink", FilePackets::readLink,
            "close", FilePackets::close,
            "pwrite", (in, files) -> refuse(),
            "unlink", (in, files) -> refuse());

    private FilePackets() {}

    static void addTo(PacketTable table) {
        table.on("vFile", FilePackets::dispatch);
    }

    private static Reply dispatch(PacketCursor in, DebugSession session) {
        in.expect(':');
        FileOperation operation = OPERATIONS.get(in.until(":"));
        if (operation == null) {
            return Reply.UNSUPPORTED;
        }
        in.expect(':');
        try {
            return operation.run(in, session.files());
        } catch (FileError e) {
            return failure(e.number());
        } catch (IOException e) {
            LOG.warn("cannot read a file of the recording", e);
            return failure(FileError.EUNKNOWN);
        }
    }

    private static Reply failure(int number) {
        return Reply.text("F-1," + Integer.toHexString(number));
    }

    private static Reply refuse() throws FileError {
        throw new FileError(FileError.EROFS);
    }

    private static String path(PacketCursor in) {
        return new String(in.hexBytesUntil(","), StandardCharsets.UTF_8);
    }

    private static int descriptor(PacketCursor in) {
        return in.hexUpTo(Integer.MAX_VALUE);
    }

    private static Reply open(PacketCursor in, OpenFiles files) throws FileError, IOException {
        String path = path(in);
        in.expect(',');
        if ((in.hex() & WRITE_FLAGS) != 0) {
            throw new FileError(FileError.EROFS);
        }
        return Reply.text("F" + Integer.toHexString(files.open(path)));
    }

    private static Reply read(PacketCursor in, OpenFiles files) throws FileError, IOException {
        int descriptor = descriptor(in);
        in.expect(',');
        int count = in.hexClamped(MAX_READ);
        in.expect(',');
        long offset = in.hex();
        if (offset < 0) {
            throw new FileError(FileError.EINVAL);
        }
        return attachment(files.read(descriptor, offset, count));
    }

    private static Reply attachment(byte[] bytes) {
        return Reply.binary("F" + Integer.toHexString(bytes.length) + ";", bytes, 0, bytes.length);
    }

    private static Reply statusByName(PacketCursor in, OpenFiles files) throws FileError, IOException {
        int descriptor = files.open(path(in));
        try {
            return status(files.status(descriptor));
        } finally {
            files.close(descriptor);
        }
    }

    /** Words a status as the protocol's struct stat: big-endian, 64 bytes. */
    private static Reply status(OpenFiles.Status status) {
        ByteBuffer stat = ByteBuffer.allocate(STAT_BYTES);
        stat.putInt(0).putInt(status.inode()).putInt(REGULAR_READABLE).putInt(1);
        stat.putInt(0).putInt(0).putInt(0);
        stat.putLong(status.size()).putLong(BLOCK).putLong((status.size() + 511) / 512);
        int modified = (int) status.modifiedSeconds();
        stat.putInt(modified).putInt(modified).putInt(modified);
        return attachment(stat.array());
    }

    private static Reply readLink(PacketCursor in, OpenFiles files) throws FileError {
        return attachment(files.link(path(in)).getBytes(StandardCharsets.UTF_8));
    }

    private static Reply close(PacketCursor in, OpenFiles files) throws FileError, IOException {
        files.close(descriptor(in));
        return Reply.text("F0");
    }
}
