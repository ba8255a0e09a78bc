package dev.eremite.gdb.codec;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a client's byte stream into packets, acknowledgements and interrupts. It does no I/O and accepts any bytes:
 * what belongs to no packet is skipped, and a {@code $} inside a packet, which a client must escape, starts a new one.
 */
public final class PacketDecoder {
    /** The longest raw payload that is accepted, in bytes; what is longer is reported as too long. */
    public static final int MAX_PAYLOAD = 1 << 20;

    static final int START = '$';
    static final int END = '#';
    static final int ESCAPE = '}';
    static final int ESCAPE_MASK = 0x20;
    private static final int INTERRUPT = 0x03;

    private enum State {
        OUTSIDE,
        PAYLOAD,
        FIRST_DIGIT,
        SECOND_DIGIT
    }

    private final ByteArrayOutputStream raw = new ByteArrayOutputStream();
    private State state = State.OUTSIDE;
    private boolean tooLong;
    private int sum;
    private int firstDigit;

    /**
     * Takes the next bytes of the stream, in pieces of any size.
     *
     * @return what they complete, in order; empty when they complete nothing
     */
    public List<Incoming> feed(byte[] bytes) {
        List<Incoming> complete = new ArrayList<>();
        for (byte b : bytes) {
            feed(b & 0xFF, complete);
        }
        return complete;
    }

    private void feed(int b, List<Incoming> complete) {
        switch (state) {
            case OUTSIDE -> outside(b, complete);
            case PAYLOAD -> payload(b);
            case FIRST_DIGIT -> {
                firstDigit = Hex.digit(b);
                checksumDigit(b, State.SECOND_DIGIT, complete);
            }
            case SECOND_DIGIT -> {
                int received = firstDigit << 4 | Hex.digit(b);
                if (checksumDigit(b, State.OUTSIDE, complete)) {
                    complete.add(packet(received));
                }
            }
        }
    }

    private void outside(int b, List<Incoming> complete) {
        switch (b) {
            case START -> begin();
            case '+' -> complete.add(new Incoming.Acknowledged());
            case '-' -> complete.add(new Incoming.NotAcknowledged());
            case INTERRUPT -> complete.add(new Incoming.Interrupt());
            default -> {
                // Line noise, or the rest of a packet that was cut.
            }
        }
    }

    private void begin() {
        raw.reset();
        sum = 0;
        tooLong = false;
        state = State.PAYLOAD;
    }

    private void payload(int b) {
        if (b == START) {
            begin();
        } else if (b == END) {
            state = State.FIRST_DIGIT;
        } else {
            sum = sum + b & 0xFF;
            tooLong |= raw.size() >= MAX_PAYLOAD;
            if (!tooLong) {
                raw.write(b);
            }
        }
    }

    private boolean checksumDigit(int b, State next, List<Incoming> complete) {
        if (b == START) {
            complete.add(new Incoming.BadChecksum());
            begin();
            return false;
        }
        if (Hex.digit(b) < 0) {
            complete.add(new Incoming.BadChecksum());
            state = State.OUTSIDE;
            return false;
        }
        state = next;
        return true;
    }

    private Incoming packet(int received) {
        if (tooLong) {
            return new Incoming.TooLong();
        }
        return received == sum ? new Incoming.Command(unescape(raw.toByteArray())) : new Incoming.BadChecksum();
    }

    private static byte[] unescape(byte[] raw) {
        ByteArrayOutputStream plain = new ByteArrayOutputStream(raw.length);
        for (int i = 0; i < raw.length; i++) {
            if (raw[i] == ESCAPE && i + 1 < raw.length) {
                i++;
                plain.write(raw[i] ^ ESCAPE_MASK);
            } else if (raw[i] != ESCAPE) {
                plain.write(raw[i]);
            }
        }
        return plain.toByteArray();
    }
}
