package dev.eremite.gdb.codec;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Hexadecimal as the protocol writes it: lower case, two digits a byte; upper case is accepted. */
public final class Hex {
    private static final HexFormat FORMAT = HexFormat.of();

    private Hex() {}

    /** The value of a digit given as a character code, or −1 for anything else. */
    public static int digit(int character) {
        return character < 0x80 ? Character.digit(character, 16) : -1;
    }

    /** The character code of a digit's value, 0…15. */
    public static int character(int digit) {
        return "0123456789abcdef".charAt(digit);
    }

    /** Two digits for each byte. */
    public static String encode(byte[] bytes) {
        return FORMAT.formatHex(bytes);
    }

    /** Two digits for each byte of the text in UTF-8. */
    public static String encode(String text) {
        return encode(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Undoes {@link #encode(byte[])}.
     *
     * @throws PacketException when the text has an odd length or holds another character
     */
    public static byte[] decode(String digits) {
        try {
            return FORMAT.parseHex(digits);
        } catch (IllegalArgumentException e) {
            throw PacketException.malformed("not hexadecimal");
        }
    }
}
