package dev.eremite.gdb.codec;

/** A packet that cannot be obeyed; the client gets an error reply with this number and, if it can show it, the text. */
public final class PacketException extends RuntimeException {
    /** EINVAL: the packet is malformed. */
    public static final int MALFORMED = 22;
    /** EFAULT: memory that is not mapped. */
    public static final int NOT_MAPPED = 14;
    /** ENXIO: what was asked for does not exist here. */
    public static final int ABSENT = 6;
    /** EROFS: the recording cannot be changed in this way. */
    public static final int REFUSED = 30;
    /** EIO: the engine failed; its message is in the log. */
    public static final int FAILED = 5;

    private final int code;

    /** An error with a number, 1…255, and a text for people. */
    public PacketException(int code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    /** A packet that does not follow the protocol. */
    public static PacketException malformed(String message) {
        return new PacketException(MALFORMED, "malformed packet: " + message);
    }

    /** The number of the error reply. */
    public int code() {
        return code;
    }
}
