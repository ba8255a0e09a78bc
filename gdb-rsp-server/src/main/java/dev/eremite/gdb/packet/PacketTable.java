package dev.eremite.gdb.packet;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The packets by name. Names that begin with {@code q}, {@code Q}, {@code v}, {@code b} or {@code j} go on
 * as long as letters, digits and hyphens follow; {@code _} is the first of two characters; all others are one.
 */
final class PacketTable {
    private static final String LONG_NAMES = "qQvbj";

    private final Map<String, PacketHandler> handlers = new HashMap<>();

    /** Adds a packet. */
    PacketTable on(String name, PacketHandler handler) {
        if (handlers.put(name, handler) != null) {
            throw new IllegalStateException("two handlers for packet " + name);
        }
        return this;
    }

    /** The handler of a packet, if it is known. */
    Optional<PacketHandler> handler(String name) {
        return Optional.ofNullable(handlers.get(name));
    }

    /** The name that a payload begins with; empty for an empty payload. */
    static String name(byte[] payload) {
        int length = Math.min(payload.length, 1);
        if (length == 1 && payload[0] == '_') {
            length = Math.min(payload.length, 2);
        }
        if (length == 1 && LONG_NAMES.indexOf(payload[0]) >= 0) {
            while (length < payload.length && partOfName(payload[length])) {
                length++;
            }
        }
        return new String(payload, 0, length, StandardCharsets.ISO_8859_1);
    }

    private static boolean partOfName(byte b) {
        return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '-' || b == '_';
    }
}
