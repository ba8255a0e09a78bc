package dev.eremite.gdb.packet;

/** Text as XML 1.0 can hold it. */
final class Xml {
    private Xml() {}

    /** Appends the text of an attribute or element. */
    static void append(StringBuilder xml, String text) {
        text.codePoints().forEach(c -> appendEscaped(xml, c));
    }

    /** A guest may name its threads with any bytes; XML 1.0 knows no control characters. */
    private static void appendEscaped(StringBuilder xml, int codePoint) {
        boolean plain = codePoint >= ' ' && codePoint < 0x7F && "<>&\"'".indexOf(codePoint) < 0;
        if (plain) {
            xml.appendCodePoint(codePoint);
        } else if (codePoint < ' ' || codePoint >= 0xD800 && codePoint < 0xE000 || codePoint >= 0xFFFE) {
            xml.append('?');
        } else {
            xml.append("&#").append(codePoint).append(';');
        }
    }
}
