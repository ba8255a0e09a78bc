package dev.eremite.gdb.packet;

import dev.eremite.gdb.codec.Hex;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * What a packet is answered with.
 *
 * @param payload the reply before escaping; null when the packet has no reply
 */
public record Reply(byte[] payload) {
    /** Obeyed. */
    static final Reply OK = text("OK");
    /** The protocol's word for an unknown packet. */
    static final Reply UNSUPPORTED = text("");
    /** The few packets that are not answered. */
    static final Reply NONE = new Reply(null);

    private static final String INTERRUPTED = "T%02x".formatted(GdbSignal.INTERRUPT);

    static Reply text(String text) {
        return new Reply(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Bytes as pairs of hexadecimal digits. */
    static Reply hex(byte[] bytes) {
        return text(Hex.encode(bytes));
    }

    /** A text followed by raw bytes. */
    static Reply binary(String head, byte[] bytes, int offset, int length) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(head.length() + length);
        out.writeBytes(head.getBytes(StandardCharsets.UTF_8));
        out.write(bytes, offset, length);
        return new Reply(out.toByteArray());
    }

    /** An error reply; the text only reaches clients that announced that they read it. */
    static Reply error(int code, String message, boolean clientReadsText) {
        return clientReadsText ? text("E." + message) : text("E%02x".formatted(code & 0xFF));
    }

    /** Whether it is the answer to a movement that ended with a thread to look at. */
    public boolean isStop() {
        return present() && payload.length > 0 && payload[0] == 'T';
    }

    /** Whether it is such an answer, and tells of an interrupt. */
    public boolean isInterrupted() {
        return isStop() && new String(payload, StandardCharsets.US_ASCII).startsWith(INTERRUPTED);
    }

    /** Whether there is anything to send. */
    public boolean present() {
        return payload != null;
    }
}
