package dev.eremite.gdb.codec;

/** What a client's byte stream holds, in order. */
public sealed interface Incoming {
    /**
     * A whole packet with a right checksum.
     *
     * @param payload the bytes between {@code $} and {@code #}, escapes undone
     */
    record Command(byte[] payload) implements Incoming {}

    /** {@code +}: the last packet sent arrived. */
    record Acknowledged() implements Incoming {}

    /** {@code -}: the last packet sent did not arrive and is to be sent again. */
    record NotAcknowledged() implements Incoming {}

    /** The byte 0x03 outside a packet: stop what runs. */
    record Interrupt() implements Incoming {}

    /** A packet whose checksum is wrong. */
    record BadChecksum() implements Incoming {}

    /** A packet longer than {@link PacketDecoder#MAX_PAYLOAD}; its bytes were dropped. */
    record TooLong() implements Incoming {}
}
