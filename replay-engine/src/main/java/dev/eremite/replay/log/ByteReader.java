package dev.eremite.replay.log;

import java.nio.charset.StandardCharsets;

/**
 * Reads what {@link ByteWriter} wrote. Anything out of bounds throws an {@link IndexOutOfBoundsException}; the event
 * log turns it into a {@link LogException}.
 */
final class ByteReader {
    private byte[] buffer = new byte[4096];
    private int position;
    private int limit;

    /** An array of at least that size to put a document into; call {@link #begin} afterwards. */
    byte[] room(int bytes) {
        // Eight bytes more, so that a word can be loaded at once near the end.
        if (buffer.length < bytes + 8) {
            buffer = new byte[bytes + bytes / 2 + 8];
        }
        return buffer;
    }

    void begin(int from, int end) {
        position = from;
        limit = end;
    }

    int remaining() {
        return limit - position;
    }

    int position() {
        return position;
    }

    byte[] array() {
        return buffer;
    }

    /** Passes over so many bytes and returns where they began. */
    int take(int bytes) {
        if (bytes < 0 || bytes > limit - position) {
            throw new IndexOutOfBoundsException("needs " + bytes + " bytes of " + (limit - position));
        }
        int start = position;
        position += bytes;
        return start;
    }

    int u8() {
        return buffer[take(1)] & 0xFF;
    }

    int u32() {
        return (int) ByteWriter.INT.get(buffer, take(4));
    }

    long u64() {
        return (long) ByteWriter.LONG.get(buffer, take(8));
    }

    long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int next = u8();
            value |= (long) (next & 0x7F) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new IndexOutOfBoundsException("a number of more than ten bytes");
    }

    int varint32() {
        long value = varint();
        if (value != (int) value) {
            throw new IndexOutOfBoundsException("a number above 32 bits");
        }
        return (int) value;
    }

    long zigzag() {
        long value = varint();
        return value >>> 1 ^ -(value & 1);
    }

    int zigzag32() {
        return Math.toIntExact(zigzag());
    }

    /** The number of elements that follow, each at least one byte. */
    int count() {
        long count = varint();
        if (count < 0 || count > remaining()) {
            throw new IndexOutOfBoundsException("a list of " + count);
        }
        return (int) count;
    }

    byte[] bytes(int length) {
        byte[] copy = new byte[length > remaining() ? take(length) : length];
        System.arraycopy(buffer, take(length), copy, 0, length);
        return copy;
    }

    String string() {
        int length = count();
        return new String(buffer, take(length), length, StandardCharsets.UTF_8);
    }

    void words(long[] into) {
        int codes = take(into.length + 1 >> 1) << 1;
        for (int i = 0; i < into.length; i++, codes++) {
            int code = buffer[codes >> 1] >> ((codes & 1) << 2) & 0xF;
            int bytes = WordCode.bytes(code);
            int at = take(bytes);
            long raw = bytes == 0 ? 0 : (long) ByteWriter.LONG.get(buffer, at) & -1L >>> 64 - 8 * bytes;
            into[i] = WordCode.expand(code, raw);
        }
    }

    long[] words(int count) {
        if (count > 2 * remaining()) {
            throw new IndexOutOfBoundsException("a group of " + count + " words");
        }
        long[] values = new long[count];
        words(values);
        return values;
    }
}
