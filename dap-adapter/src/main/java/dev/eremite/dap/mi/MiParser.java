package dev.eremite.dap.mi;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Parses one line of output, see "GDB/MI Output Syntax" in GDB's manual. */
final class MiParser {
    private static final int MAX_TOKEN_DIGITS = 18;

    private final String line;
    private int at;

    private MiParser(String line) {
        this.line = line;
    }

    /** The record in a line; empty when the line is none, such as a message of a library that GDB uses. */
    static Optional<MiRecord> parse(String line) {
        if (line.startsWith("(gdb)")) {
            return Optional.of(new MiRecord(MiRecord.Kind.PROMPT, -1, "", MiValue.NONE));
        }
        try {
            return new MiParser(line).parseRecord();
        } catch (StringIndexOutOfBoundsException e) {
            return unreadable(line);
        }
    }

    /** Whoever waits for an answer must hear that it came. */
    private static Optional<MiRecord> unreadable(String line) {
        int sign = line.indexOf('^');
        if (sign < 1 || !line.substring(0, sign).matches("\\d{1,18}")) {
            return Optional.empty();
        }
        MiValue message = new MiValue.Text("an answer could not be read: " + line.substring(sign));
        return Optional.of(new MiRecord(
                MiRecord.Kind.RESULT,
                Long.parseLong(line.substring(0, sign)),
                "error",
                new MiValue.Tuple(Map.of("msg", message))));
    }

    private Optional<MiRecord> parseRecord() {
        int digits = 0;
        while (digits < line.length() && Character.isDigit(line.charAt(digits))) {
            digits++;
        }
        if (digits == line.length() || digits > MAX_TOKEN_DIGITS) {
            return Optional.empty();
        }
        long token = digits == 0 ? -1 : Long.parseLong(line.substring(0, digits));
        at = digits + 1;
        Optional<MiRecord.Kind> kind = kind(line.charAt(digits));
        if (kind.isEmpty()) {
            return Optional.empty();
        }
        if (peek() == '"') {
            return Optional.of(new MiRecord(kind.get(), token, "", new MiValue.Text(string())));
        }
        String name = name(',');
        Map<String, MiValue> fields = new LinkedHashMap<>();
        while (peek() == ',') {
            at++;
            field(fields);
        }
        return Optional.of(new MiRecord(kind.get(), token, name, new MiValue.Tuple(fields)));
    }

    private static Optional<MiRecord.Kind> kind(char sign) {
        return switch (sign) {
            case '^' -> Optional.of(MiRecord.Kind.RESULT);
            case '*' -> Optional.of(MiRecord.Kind.EXEC);
            case '+' -> Optional.of(MiRecord.Kind.STATUS);
            case '=' -> Optional.of(MiRecord.Kind.NOTIFY);
            case '~' -> Optional.of(MiRecord.Kind.CONSOLE);
            case '@' -> Optional.of(MiRecord.Kind.TARGET);
            case '&' -> Optional.of(MiRecord.Kind.LOG);
            default -> Optional.empty();
        };
    }

    private char peek() {
        return at < line.length() ? line.charAt(at) : '\0';
    }

    private void field(Map<String, MiValue> fields) {
        String name = name('=');
        at++;
        MiValue value = value();
        // Some versions repeat a name or leave it out; the first one counts.
        fields.putIfAbsent(name, value);
    }

    private String name(char end) {
        int start = at;
        while (at < line.length() && line.charAt(at) != end && line.charAt(at) != ',' && line.charAt(at) != '}') {
            at++;
        }
        return line.substring(start, at);
    }

    private MiValue value() {
        return switch (peek()) {
            case '"' -> new MiValue.Text(string());
            case '{' -> tuple();
            case '[' -> items();
            default -> new MiValue.Text(name(']'));
        };
    }

    private MiValue tuple() {
        Map<String, MiValue> fields = new LinkedHashMap<>();
        at++;
        while (line.charAt(at) != '}') {
            if (line.charAt(at) == '"') {
                // The commands of a breakpoint, which ought to be a list.
                fields.put("", value());
            } else {
                field(fields);
            }
            if (line.charAt(at) == ',') {
                at++;
            }
        }
        at++;
        return new MiValue.Tuple(fields);
    }

    private MiValue items() {
        List<MiValue> values = new ArrayList<>();
        at++;
        while (line.charAt(at) != ']') {
            if (Character.isLetter(line.charAt(at))) {
                name('=');
                at++;
            }
            values.add(value());
            if (line.charAt(at) == ',') {
                at++;
            }
        }
        at++;
        return new MiValue.Items(values);
    }

    /** Bytes above 127 come as octal escapes, several of which may make one character. */
    private String string() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        at++;
        int plain = at;
        while (line.charAt(at) != '"') {
            if (line.charAt(at) != '\\') {
                at++;
                continue;
            }
            bytes.writeBytes(line.substring(plain, at).getBytes(StandardCharsets.UTF_8));
            at++;
            escape(bytes);
            plain = at;
        }
        bytes.writeBytes(line.substring(plain, at).getBytes(StandardCharsets.UTF_8));
        at++;
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private void escape(ByteArrayOutputStream bytes) {
        char escaped = line.charAt(at++);
        if (escaped >= '0' && escaped <= '7') {
            bytes.write(Integer.parseInt(line.substring(at - 1, at + 2), 8));
            at += 2;
            return;
        }
        bytes.write(
                switch (escaped) {
                    case 'n' -> '\n';
                    case 't' -> '\t';
                    case 'r' -> '\r';
                    case 'a' -> 7;
                    case 'b' -> '\b';
                    case 'f' -> '\f';
                    case 'v' -> 11;
                    case 'e' -> 27;
                    default -> escaped;
                });
    }
}
