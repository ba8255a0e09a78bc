package dev.eremite.gdb.codec;

import java.io.ByteArrayOutputStream;

/** Frames packets for the client. */
public final class PacketEncoder {
    private PacketEncoder() {}

    /**
     * Frames a payload: escapes what must not appear raw (including {@code *}, which would read as a run length) and
     * adds the checksum.
     *
     * @return the bytes to send, {@code $…#xx}
     */
    public static byte[] encode(byte[] payload) {
        ByteArrayOutputStream framed = new ByteArrayOutputStream(payload.length + 8);
        framed.write(PacketDecoder.START);
        int sum = 0;
        for (byte b : payload) {
            int value = b & 0xFF;
            if (mustEscape(value)) {
                framed.write(PacketDecoder.ESCAPE);
                sum += PacketDecoder.ESCAPE;
                value ^= PacketDecoder.ESCAPE_MASK;
            }
            framed.write(value);
            sum += value;
        }
        framed.write(PacketDecoder.END);
        framed.write(Hex.character(sum >> 4 & 0xF));
        framed.write(Hex.character(sum & 0xF));
        return framed.toByteArray();
    }

    private static boolean mustEscape(int value) {
        return value == PacketDecoder.START
                || value == PacketDecoder.END
                || value == PacketDecoder.ESCAPE
                || value == '*';
    }
}
