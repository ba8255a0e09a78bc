package dev.eremite.tests.mi;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Parses one line of GDB/MI output, as in "GDB/MI Output Syntax" of GDB's manual. */
final class MiParser {
    private final String line;
    private int at;

    private MiParser(String line) {
        this.line = line;
    }

    /** The record in a line; empty when the line is not MI, such as the inferior's own output. */
    static Optional<MiRecord> parse(String line) {
        if (line.startsWith("(gdb)")) {
            return Optional.of(new MiRecord(MiRecord.Kind.PROMPT, -1, "", new MiValue.Text("")));
        }
        return new MiParser(line).parseRecord();
    }

    private Optional<MiRecord> parseRecord() {
        int digits = 0;
        while (digits < line.length() && Character.isDigit(line.charAt(digits))) {
            digits++;
        }
        if (digits == line.length()) {
            return Optional.empty();
        }
        long token = digits == 0 || digits > 18 ? -1 : Long.parseLong(line.substring(0, digits));
        at = digits + 1;
        MiRecord.Kind kind = switch (line.charAt(digits)) {
            case '^' -> MiRecord.Kind.RESULT;
            case '*' -> MiRecord.Kind.EXEC;
            case '+' -> MiRecord.Kind.STATUS;
            case '=' -> MiRecord.Kind.NOTIFY;
            case '~' -> MiRecord.Kind.CONSOLE;
            case '@' -> MiRecord.Kind.TARGET;
            case '&' -> MiRecord.Kind.LOG;
            default -> null;
        };
        if (kind == null) {
            return Optional.empty();
        }
        if (at < line.length() && line.charAt(at) == '"') {
            return Optional.of(new MiRecord(kind, token, "", new MiValue.Text(string())));
        }
        String name = name(',');
        Map<String, MiValue> fields = new LinkedHashMap<>();
        while (at < line.length() && line.charAt(at) == ',') {
            at++;
            field(fields);
        }
        return Optional.of(new MiRecord(kind, token, name, new MiValue.Tuple(fields)));
    }

    private void field(Map<String, MiValue> fields) {
        String name = name('=');
        at++;
        MiValue value = value();
        // Breakpoints with several locations repeat a name or leave it out; the first one counts.
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
        return switch (at < line.length() ? line.charAt(at) : ' ') {
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
            field(fields);
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

    private String string() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        at++;
        while (line.charAt(at) != '"') {
            char c = line.charAt(at++);
            if (c != '\\') {
                bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
                continue;
            }
            char escaped = line.charAt(at++);
            if (escaped >= '0' && escaped <= '7') {
                bytes.write(Integer.parseInt(line.substring(at - 1, at + 2), 8));
                at += 2;
            } else {
                bytes.write(
                        switch (escaped) {
                            case 'n' -> '\n';
                            case 't' -> '\t';
                            case 'r' -> '\r';
                            default -> escaped;
                        });
            }
        }
        at++;
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
