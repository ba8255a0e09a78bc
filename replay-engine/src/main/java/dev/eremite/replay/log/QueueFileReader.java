package dev.eremite.replay.log;

import dev.eremite.replay.event.Event;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Reads the queue's file by itself: a chain of documents, each behind a four-byte header with its length. Chronicle's
 * own reader trusts what it finds, and a damaged file makes it hang or fail in odd ways; it also takes long to start.
 * Here every step is checked, and every event has a checksum that covers its number.
 */
final class QueueFileReader implements EventLog.Reader {
    /** Header bits of the queue's format: not yet complete, metadata, length. */
    private static final int INCOMPLETE = 1 << 31;

    private static final int METADATA = 1 << 30;
    private static final int LENGTH = METADATA - 1;

    /** What the first document, the queue's own header, begins with: a field named "header". */
    private static final long QUEUE_MAGIC = 0x72656461656806b9L;

    /** No document is longer: bigger events go to the bulk file. */
    private static final int LONGEST = 2 * WireIds.DOCUMENT_LIMIT;

    /** A kind, two numbers of up to five bytes, and flags. */
    private static final int HEAD = 12;

    /** Every so many events the position is remembered. */
    private static final int SPACING = 32;

    private final Path file;
    private final FileWindow queue;
    private final BulkFile bulk;
    private final ByteReader in = new ByteReader();
    private final ByteReader head = new ByteReader();
    private final EventDecoder decoder;
    private final CRC32C crc = new CRC32C();
    private long[] positions = new long[64];
    private long size;
    private boolean complete;
    private long cursorNumber;
    private long cursorPosition;

    QueueFileReader(Path directory) {
        file = directory.resolve(ChronicleEventLog.QUEUE_FILE);
        if (!Files.isRegularFile(file)) {
            throw new LogException(LogException.Code.MISSING, "the event log " + file + " is missing");
        }
        queue = new FileWindow(file);
        bulk = new BulkFile(directory, false);
        decoder = new EventDecoder(in, bulk);
        boolean opened = false;
        try {
            scan();
            opened = true;
        } finally {
            if (!opened) {
                close();
            }
        }
    }

    private LogException damaged(String what) {
        return new LogException(LogException.Code.DAMAGED, "the event log " + file + " is damaged: " + what);
    }

    /** Follows the chain of documents once, to know how many events there are and whether the end mark is. */
    private void scan() {
        if (queue.size() < Integer.BYTES || (queue.u32(0) & INCOMPLETE) != 0 || queue.u32(0) == 0) {
            // Whoever made it was ended while making it. Where a log of a recording that ended in order looks like
            // this, the number of events shows the damage.
            return;
        }
        if (documentEnd(0) < 0 || length(0) < Long.BYTES || queue.u64(Integer.BYTES) != QUEUE_MAGIC) {
            throw damaged("it does not begin as a Chronicle queue does");
        }
        long position = data(0);
        if (position < 0) {
            return;
        }
        load(position, -1);
        checkHeader();
        position = data(documentEnd(position));
        cursorPosition = position;
        while (position >= 0) {
            if (isEndMark(position)) {
                complete = true;
                break;
            }
            remember(position);
            size++;
            position = data(documentEnd(position));
        }
    }

    private void checkHeader() {
        byte[] magic = QueueFileWriter.MAGIC.getBytes(StandardCharsets.US_ASCII);
        if (in.remaining() < 2 + magic.length
                || in.u8() != WireIds.LOG_HEADER
                || !Arrays.equals(magic, in.bytes(magic.length))) {
            throw damaged("it does not begin with an event log's header");
        }
        long version = in.varint();
        if (version != WireIds.FORMAT_VERSION) {
            throw new LogException(
                    LogException.Code.VERSION,
                    "the event log " + file + " has format " + version + "; this version of Eremite reads format "
                            + WireIds.FORMAT_VERSION);
        }
    }

    private boolean isEndMark(long position) {
        if (length(position) <= Integer.BYTES || queue.u8(position + 2 * Integer.BYTES) != WireIds.LOG_END) {
            return false;
        }
        load(position, size);
        in.u8();
        if (in.varint() != size) {
            throw damaged("its end mark counts other events than there are");
        }
        return true;
    }

    private void remember(long position) {
        if (size % SPACING == 0) {
            int slot = (int) (size / SPACING);
            if (slot == positions.length) {
                positions = Arrays.copyOf(positions, 2 * slot);
            }
            positions[slot] = position;
        }
    }

    private int length(long position) {
        return queue.u32(position) & LENGTH;
    }

    /** Where the document at that position ends and the next one begins; −1 when there is no whole document. */
    private long documentEnd(long position) {
        if (position < 0 || position > queue.size() - Integer.BYTES) {
            return -1;
        }
        int header = queue.u32(position);
        if (header == 0 || (header & INCOMPLETE) != 0) {
            return -1;
        }
        long end = position + Integer.BYTES + (header & LENGTH);
        // Headers are aligned to four bytes.
        return end > queue.size() ? -1 : end + 3 & ~3L;
    }

    /** The first whole document at or after that position that is not the queue's own metadata; −1 when none is. */
    private long data(long from) {
        long position = from;
        for (long end = documentEnd(position); end >= 0; end = documentEnd(position)) {
            if ((queue.u32(position) & METADATA) == 0) {
                return position;
            }
            position = end;
        }
        return -1;
    }

    /** Puts a document's content into the input buffer, after a look at its checksum. */
    private void load(long position, long number) {
        int length = length(position);
        if (length <= Integer.BYTES || length > LONGEST) {
            throw damaged("event " + number + " cannot be of " + length + " bytes");
        }
        byte[] bytes = in.room(Long.BYTES + length);
        ByteWriter.LONG.set(bytes, 0, number);
        int content = length - Integer.BYTES;
        queue.copy(position + 2 * Integer.BYTES, bytes, Long.BYTES, content);
        crc.reset();
        crc.update(bytes, 0, Long.BYTES + content);
        if ((int) crc.getValue() != queue.u32(position + Integer.BYTES)) {
            throw damaged(number < 0 ? "its header has another checksum" : "event " + number + " has another checksum");
        }
        in.begin(Long.BYTES, Long.BYTES + content);
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public boolean complete() {
        return complete;
    }

    @Override
    public Event read(long number) {
        if (number < 0 || number >= size) {
            throw new IndexOutOfBoundsException("event " + number + " of " + size);
        }
        try {
            long position = seek(number);
            load(position, number);
            cursorNumber = number + 1;
            cursorPosition = data(documentEnd(position));
            return decode();
        } catch (LogException e) {
            throw e;
        } catch (RuntimeException e) {
            throw damaged("event " + number + " makes no sense (" + e.getMessage() + ")");
        }
    }

    @Override
    public boolean changesTasks(long number) {
        try {
            beginHead(number);
            int kind = head.u8();
            if (kind != WireIds.SYSCALL && kind != WireIds.SYSCALL_EXIT) {
                return kind == WireIds.SIGNAL || kind == WireIds.TASK_EXIT || kind == WireIds.SPILLED;
            }
            head.varint();
            head.varint();
            int effect = head.u8() >> WireIds.EFFECT_SHIFT & WireIds.EFFECT_MASK;
            return effect == WireIds.SPAWN || effect == WireIds.EXEC;
        } catch (IndexOutOfBoundsException e) {
            // It is damaged, which to read it will tell.
            return true;
        }
    }

    @Override
    public int call(long number) {
        try {
            beginHead(number);
            int kind = head.u8();
            if (kind == WireIds.SPILLED) {
                return callOf(read(number));
            }
            if (kind != WireIds.SYSCALL && kind != WireIds.SYSCALL_ENTER && kind != WireIds.SYSCALL_EXIT) {
                return -1;
            }
            head.varint();
            return head.zigzag32();
        } catch (IndexOutOfBoundsException | ArithmeticException e) {
            throw damaged("event " + number + " makes no sense (" + e.getMessage() + ")");
        }
    }

    private static int callOf(Event event) {
        return switch (event) {
            case Event.Syscall call -> call.number();
            case Event.SyscallEnter enter -> enter.number();
            case Event.SyscallExit exit -> exit.number();
            case Event.Instruction _, Event.ClockTrap _, Event.Signal _, Event.Preempt _, Event.TaskExit _ -> -1;
        };
    }

    /** Puts the beginning of an event into {@link #head}, as far as its kind, its task and its call. */
    private void beginHead(long number) {
        long position = seek(number);
        int bytes = Math.min(HEAD, length(position) - Integer.BYTES);
        queue.copy(position + 2 * Integer.BYTES, head.room(HEAD), 0, bytes);
        head.begin(0, bytes);
        cursorNumber = number + 1;
        cursorPosition = data(documentEnd(position));
    }

    private Event decode() {
        if (in.array()[in.position()] == WireIds.SPILLED) {
            in.u8();
            byte[] content = bulk.read(BulkFile.Piece.of(in));
            System.arraycopy(content, 0, in.room(content.length), 0, content.length);
            in.begin(0, content.length);
        }
        return decoder.decode();
    }

    private long seek(long number) {
        if (number != cursorNumber) {
            boolean ahead = number > cursorNumber && number / SPACING == cursorNumber / SPACING;
            long at = ahead ? cursorNumber : number - number % SPACING;
            long position = ahead ? cursorPosition : positions[(int) (number / SPACING)];
            for (; at < number; at++) {
                position = data(documentEnd(position));
            }
            cursorNumber = number;
            cursorPosition = position;
        }
        if (cursorPosition < 0) {
            throw damaged("event " + number + " is gone");
        }
        return cursorPosition;
    }

    @Override
    public void close() {
        decoder.close();
        bulk.close();
        queue.close();
    }
}
