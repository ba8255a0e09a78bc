package dev.eremite.dap.handler;

import dev.eremite.dap.protocol.RequestFailure;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory to watch.
 *
 * @param type the type of what is there, so that its values can be shown; empty if unknown
 * @param expression what the user calls it
 */
record DataPlace(long address, int bytes, String type, String expression) {
    private static final String BAR = "|";
    private static final int PARTS = 4;

    /** As the client keeps it. */
    String id() {
        return "0x" + Long.toHexString(address) + BAR + bytes + BAR + type.replace(BAR, "") + BAR + expression;
    }

    /** Reads what {@link #id} gave. */
    static DataPlace parse(String id) {
        String[] parts = id == null ? new String[0] : id.split("\\|", PARTS);
        if (parts.length != PARTS || !parts[1].matches("\\d{1,7}")) {
            throw new RequestFailure("not the id of data: " + id);
        }
        return new DataPlace(Addresses.parse(parts[0]), Integer.parseInt(parts[1]), parts[2], parts[3]);
    }

    /** Expressions for GDB in the language C++, the best one first. */
    List<String> watchable() {
        String at = "0x" + Long.toHexString(address);
        List<String> expressions = new ArrayList<>();
        if (!type.isEmpty() && !type.contains("[") && !type.contains("(")) {
            expressions.add("*(" + type + " *)" + at);
        }
        expressions.add(
                switch (bytes) {
                    case 1 -> "*(unsigned char *)" + at;
                    case 2 -> "*(unsigned short *)" + at;
                    case 4 -> "*(int *)" + at;
                    case 8 -> "*(long *)" + at;
                    default -> "*(unsigned char (*)[" + bytes + "])" + at;
                });
        return expressions;
    }
}
