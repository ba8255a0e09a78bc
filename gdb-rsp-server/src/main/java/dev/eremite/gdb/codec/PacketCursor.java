package dev.eremite.gdb.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads a payload from left to right. Every method throws {@link PacketException} where the payload does not fit. */
public final class PacketCursor {
    private static final int END = -1;
    private static final int MAX_DIGITS = 16;

    private final byte[] payload;
    private int next;

    /** Starts at the payload's first byte. */
    public PacketCursor(byte[] payload) {
        this.payload = payload;
    }

    /** Starts at the first byte of a text in UTF-8. */
    public PacketCursor(String payload) {
        this(payload.getBytes(StandardCharsets.UTF_8));
    }

    /** Whether nothing is left. */
    public boolean atEnd() {
        return next >= payload.length;
    }

    /** The next byte, 0…255, without taking it; −1 at the end. */
    public int peek() {
        return atEnd() ? END : payload[next] & 0xFF;
    }

    /** Takes the next byte, 0…255. */
    public int take() {
        if (atEnd()) {
            throw PacketException.malformed("too short");
        }
        return payload[next++] & 0xFF;
    }

    /** Takes the character if it is next; says whether it was. */
    public boolean accept(char expected) {
        boolean there = peek() == expected;
        if (there) {
            next++;
        }
        return there;
    }

    /** Takes the character, which must be next. */
    public void expect(char expected) {
        if (!accept(expected)) {
            throw PacketException.malformed("'" + expected + "' expected at byte " + next);
        }
    }

    /** Takes the text if it is next; says whether it was. */
    public boolean accept(String expected) {
        byte[] bytes = expected.getBytes(StandardCharsets.UTF_8);
        boolean there = next + bytes.length <= payload.length
                && Arrays.equals(payload, next, next + bytes.length, bytes, 0, bytes.length);
        if (there) {
            next += bytes.length;
        }
        return there;
    }

    /** Takes an unsigned hexadecimal number of at most 64 bits. */
    public long hex() {
        long value = 0;
        int digits = 0;
        while (Hex.digit(peek()) >= 0) {
            value = value << 4 | Hex.digit(take());
            if (++digits > MAX_DIGITS) {
                throw PacketException.malformed("number too large");
            }
        }
        if (digits == 0) {
            throw PacketException.malformed("number expected at byte " + next);
        }
        return value;
    }

    /** Takes a hexadecimal number that is at most {@code max}. */
    public int hexUpTo(int max) {
        long value = hex();
        if (value < 0 || value > max) {
            throw PacketException.malformed("number out of range");
        }
        return (int) value;
    }

    /** Takes a hexadecimal number, and {@code max} where it is larger: for lengths, which a reply may fall short of. */
    public int hexClamped(int max) {
        long value = hex();
        return value < 0 || value > max ? max : (int) value;
    }

    /** Takes everything up to one of the characters or the end, as text; does not take that character. */
    public String until(String stops) {
        int start = next;
        while (!atEnd() && stops.indexOf(peek()) < 0) {
            next++;
        }
        return new String(payload, start, next - start, StandardCharsets.UTF_8);
    }

    /** Takes all the rest as text. */
    public String rest() {
        return new String(restBytes(), StandardCharsets.UTF_8);
    }

    /** Takes all the rest. */
    public byte[] restBytes() {
        byte[] rest = Arrays.copyOfRange(payload, next, payload.length);
        next = payload.length;
        return rest;
    }

    /** Takes exactly {@code count} bytes. */
    public byte[] bytes(int count) {
        if (count < 0 || count > payload.length - next) {
            throw PacketException.malformed("too short");
        }
        byte[] bytes = Arrays.copyOfRange(payload, next, next + count);
        next += count;
        return bytes;
    }

    /** Takes pairs of hexadecimal digits up to one of the characters or the end. */
    public byte[] hexBytesUntil(String stops) {
        return Hex.decode(until(stops));
    }

    /** Checks that nothing is left. */
    public void end() {
        if (!atEnd()) {
            throw PacketException.malformed("trailing bytes");
        }
    }
}
