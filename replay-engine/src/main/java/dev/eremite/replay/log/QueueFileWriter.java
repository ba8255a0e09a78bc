package dev.eremite.replay.log;

import dev.eremite.replay.event.Event;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.queue.rollcycles.LargeRollCycles;
import net.openhft.chronicle.wire.DocumentContext;

/**
 * Appends events to a Chronicle queue that consists of one file. A document holds the CRC-32C of the event's number and
 * content, then the content; the first document is the log's header and the last one its end mark.
 *
 * <p>The queue writes through a memory mapping, where a full disk would be a deadly fault. So the file's blocks are
 * reserved ahead by ordinary writes of zeroes, which fail in order.
 */
final class QueueFileWriter {
    static final String MAGIC = "EREMITE-EVENT-LOG";

    /** Mapped piece of the queue's file; a document may take a quarter of it. */
    private static final int BLOCK_BYTES = 4 << 20;

    /** Entries in an index page of the queue, and events between two entries; nobody uses that index here. */
    private static final int INDEX_COUNT = 2048;

    private static final int INDEX_SPACING = 4096;

    /** Reserved in one step, and the least that must be reserved beyond the last event. */
    private static final int RESERVE_BYTES = 1 << 20;

    private static final byte[] ZEROES = new byte[64 << 10];
    private static final long PAGE = 4096;

    private final Path file;
    private final ByteWriter buffer = new ByteWriter();
    private final ByteWriter spilled = new ByteWriter();
    private final CRC32C crc = new CRC32C();
    private final BulkFile bulk;
    private final EventEncoder encoder;
    private final SingleChronicleQueue queue;
    private final ExcerptAppender appender;

    /** Not a channel: those are closed when their thread is interrupted. */
    private final RandomAccessFile blocks;

    private long next;
    private long end;
    private long reserved;

    QueueFileWriter(Path directory) throws IOException {
        file = directory.resolve(ChronicleEventLog.QUEUE_FILE);
        bulk = new BulkFile(directory, true);
        encoder = new EventEncoder(buffer, bulk);
        silence("chronicle.analytics.disable");
        silence("chronicle.disk.monitor.disable");
        silence("chronicle.announcer.disable");
        Files.createDirectories(directory);
        // A folder without room for the queue's first pages is found out before they are mapped.
        Path probe = directory.resolve("space");
        try {
            Files.write(probe, new byte[RESERVE_BYTES]);
        } finally {
            Files.deleteIfExists(probe);
        }
        queue = SingleChronicleQueueBuilder.binary(directory)
                .rollCycle(LargeRollCycles.HUGE_DAILY)
                .timeProvider(() -> 0L)
                .indexCount(INDEX_COUNT)
                .indexSpacing(INDEX_SPACING)
                .blockSize(BLOCK_BYTES)
                .build();
        appender = queue.createAppender();
        header();
        blocks = new RandomAccessFile(file.toFile(), "rw");
        makeSolid();
        reserve();
    }

    private static void silence(String property) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, "true");
        }
    }

    private void header() {
        byte[] magic = MAGIC.getBytes(StandardCharsets.US_ASCII);
        begin(-1);
        buffer.u8(WireIds.LOG_HEADER);
        buffer.bytes(magic, 0, magic.length);
        buffer.varint(WireIds.FORMAT_VERSION);
        document();
    }

    /** Gives the index pages before the first document their blocks, by writing what is there. */
    private void makeSolid() throws IOException {
        byte[] content = new byte[(int) end];
        blocks.readFully(content);
        blocks.seek(0);
        blocks.write(content);
        reserved = end;
    }

    private void reserve() {
        try {
            blocks.seek(reserved);
            for (long until = end + 2 * RESERVE_BYTES; reserved < until; reserved += ZEROES.length) {
                blocks.write(ZEROES);
            }
        } catch (IOException e) {
            throw LogException.ofIo("cannot write " + file, e);
        }
    }

    /** Appends the next event. */
    void append(Event event) {
        begin(next);
        encoder.encode(event);
        spill();
        appendBuffer();
        next++;
        // Last, since the event counts even when there is no room for another one; the end mark needs none.
        if (end + RESERVE_BYTES > reserved) {
            reserve();
        }
    }

    /** How many events have been written whole. */
    long events() {
        return next;
    }

    /** Appends the end mark. */
    void end() {
        begin(next);
        buffer.u8(WireIds.LOG_END);
        buffer.varint(next);
        appendBuffer();
    }

    private void begin(long number) {
        buffer.reset();
        buffer.u64(number);
    }

    private void spill() {
        int length = buffer.position() - Long.BYTES;
        if (length > WireIds.DOCUMENT_LIMIT) {
            spilled.reset();
            bulk.append(buffer.array(), Long.BYTES, length).write(spilled);
            begin(next);
            buffer.u8(WireIds.SPILLED);
            buffer.bytes(spilled.array(), 0, spilled.position());
        }
    }

    private void appendBuffer() {
        try {
            document();
        } catch (InternalError | RuntimeException e) {
            throw LogException.ofIo("cannot write " + file, e);
        }
    }

    /** Writes the buffer, which begins with the event's number, as one document. */
    private void document() {
        byte[] content = buffer.array();
        int length = buffer.position();
        crc.reset();
        crc.update(content, 0, length);
        try (DocumentContext document = appender.writingDocument()) {
            Bytes<?> bytes = document.wire().bytes();
            boolean done = false;
            try {
                bytes.writeInt((int) crc.getValue());
                bytes.write(content, Long.BYTES, length - Long.BYTES);
                end = bytes.writePosition();
                done = true;
            } finally {
                if (!done) {
                    document.rollbackOnClose();
                }
            }
        }
    }

    /** Closes the files and cuts what was reserved. */
    void close() {
        encoder.close();
        bulk.close();
        queue.close();
        try (blocks) {
            // The queue's format wants four zero bytes behind the last document.
            blocks.setLength((end + Integer.BYTES + PAGE - 1) / PAGE * PAGE);
        } catch (IOException e) {
            throw LogException.ofIo("cannot shorten " + file, e);
        }
    }
}
