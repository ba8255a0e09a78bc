package dev.eremite.detcore.syscall;

import java.util.Arrays;

/** Text in guest memory, read and quoted as strace(1) does. */
final class GuestText {
    private static final int CHUNK = 128;
    private static final int FIRST_PRINTABLE = 0x20;
    private static final int LAST_PRINTABLE = 0x7e;

    private GuestText() {}

    /** The bytes before the NUL at {@code address}, at most {@code limit}. */
    static byte[] read(CallView call, long address, int limit) {
        byte[] text = new byte[0];
        while (text.length < limit) {
            byte[] chunk = call.read(address + text.length, Math.min(CHUNK, limit - text.length));
            int end = 0;
            while (end < chunk.length && chunk[end] != 0) {
                end++;
            }
            int before = text.length;
            text = Arrays.copyOf(text, before + end);
            System.arraycopy(chunk, 0, text, before, end);
            if (end < chunk.length || chunk.length == 0) {
                break;
            }
        }
        return text;
    }

    /** In double quotes; bytes that are not printable ASCII become escapes, octal without leading zeros where that is clear. */
    static String quote(byte[] bytes, int length) {
        StringBuilder text = new StringBuilder("\"");
        for (int i = 0; i < length; i++) {
            int value = bytes[i] & 0xff;
            switch (value) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                case '\t' -> text.append("\\t");
                case '\r' -> text.append("\\r");
                case '\f' -> text.append("\\f");
                case 0x0b -> text.append("\\v");
                default -> {
                    if (value >= FIRST_PRINTABLE && value <= LAST_PRINTABLE) {
                        text.append((char) value);
                    } else {
                        boolean digitFollows = i + 1 < length && bytes[i + 1] >= '0' && bytes[i + 1] <= '7';
                        text.append(digitFollows ? "\\%03o".formatted(value) : "\\%o".formatted(value));
                    }
                }
            }
        }
        return text.append('"').toString();
    }
}
