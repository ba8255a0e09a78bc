package dev.eremite.replay.log;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing little-endian buffer that is used again for each event. */
final class ByteWriter {
    static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] buffer = new byte[4096];
    private int position;
    private int codes;

    byte[] array() {
        return buffer;
    }

    int position() {
        return position;
    }

    void reset() {
        position = 0;
    }

    /** Makes room for so many bytes more, and returns the array to write them into. */
    byte[] reserve(int bytes) {
        if (buffer.length - position < bytes) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, position + bytes));
        }
        return buffer;
    }

    void advance(int bytes) {
        position += bytes;
    }

    void u8(int value) {
        reserve(1)[position++] = (byte) value;
    }

    void u32(int value) {
        INT.set(reserve(4), position, value);
        position += 4;
    }

    void u64(long value) {
        LONG.set(reserve(8), position, value);
        position += 8;
    }

    /** An unsigned number, seven bits a byte, lowest first. */
    void varint(long value) {
        byte[] out = reserve(10);
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            out[position++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        out[position++] = (byte) rest;
    }

    /** A signed number that is short when near zero. */
    void zigzag(long value) {
        varint(value << 1 ^ value >> 63);
    }

    void bytes(byte[] source, int offset, int length) {
        System.arraycopy(source, offset, reserve(length), position, length);
        position += length;
    }

    void string(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        varint(bytes.length);
        bytes(bytes, 0, bytes.length);
    }

    /** Begins a group of so many machine words, each then given to {@link #word}. */
    void beginWords(int count) {
        int room = count + 1 >> 1;
        Arrays.fill(reserve(room), position, position + room, (byte) 0);
        codes = position << 1;
        position += room;
    }

    /** The next word of the group: a four-bit code in the group's head, and the bytes that {@link WordCode} says. */
    void word(long value) {
        int code = WordCode.of(value);
        byte[] out = reserve(8);
        out[codes >> 1] |= (byte) (code << ((codes & 1) << 2));
        codes++;
        LONG.set(out, position, value);
        position += WordCode.bytes(code);
    }

    void words(long[] values) {
        beginWords(values.length);
        for (long value : values) {
            word(value);
        }
    }
}
