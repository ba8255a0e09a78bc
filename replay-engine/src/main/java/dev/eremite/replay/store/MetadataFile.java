package dev.eremite.replay.store;

import dev.eremite.replay.log.LogException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import tools.jackson.core.JsonGenerator;

/** {@code recording.json}: written whole each time, and signed with a checksum in its last member. */
final class MetadataFile {
    static final String NAME = "recording.json";

    /** The version of the layout of a recording's folder. */
    static final int FORMAT = 2;

    private static final Pattern FORMAT_MEMBER = Pattern.compile("\\{\\s*\"format\"\\s*:\\s*(\\d{1,9})\\b");
    private static final Pattern SIGNATURE =
            Pattern.compile(",\n {2}\"checksum\" : \"([0-9a-f]{8})\"\n}\n\\z", Pattern.DOTALL);
    private static final long LARGEST = 64 << 20;

    private MetadataFile() {}

    static void write(Path directory, RecordingInfo info) {
        byte[] plain = Json.write(true, json -> members(json, info));
        String text = new String(plain, StandardCharsets.UTF_8);
        String body = text.substring(0, text.lastIndexOf('}')).stripTrailing();
        String signed = body + ",\n  \"checksum\" : \"" + checksum(body) + "\"\n}\n";
        Path temporary = directory.resolve(NAME + ".new");
        try {
            Files.writeString(temporary, signed);
            Files.move(temporary, directory.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            LogException failure = LogException.ofIo("cannot write " + directory.resolve(NAME), e);
            try {
                Files.deleteIfExists(temporary);
            } catch (IOException left) {
                failure.addSuppressed(left);
            }
            throw failure;
        }
    }

    private static String checksum(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return "%08x".formatted(crc.getValue());
    }

    private static void members(JsonGenerator json, RecordingInfo info) {
        RecordingStart start = info.start();
        json.writeStartObject();
        json.writeNumberProperty("format", FORMAT);
        json.writeStringProperty("eremite", start.eremite());
        json.writeStringProperty("id", info.id());
        json.writeStringProperty("created", info.created().toString());
        json.writeStringProperty("state", info.state().text());
        json.writeNumberProperty("enginePid", info.enginePid());
        json.writeNumberProperty("engineStartMs", info.engineStartMs());
        strings(json, "argv", start.argv());
        json.writeStringProperty("executable", Json.text(start.executable()));
        json.writeStringProperty("cwd", Json.text(start.cwd()));
        json.writeNumberProperty("status", info.status());
        json.writeNumberProperty("signal", info.signal());
        json.writeNumberProperty("events", info.events());
        json.writeNumberProperty("durationMs", info.durationMs());
        json.writeNumberProperty("bytes", info.bytes());
        json.writeNumberProperty("files", info.files());
        json.writeStringProperty("kernel", start.kernel());
        json.writeStringProperty("cpu", start.cpu());
        strings(json, "env", start.env());
        json.writeEndObject();
    }

    private static void strings(JsonGenerator json, String name, List<String> values) {
        json.writeName(name);
        json.writeStartArray();
        for (String value : values) {
            json.writeString(Json.text(value));
        }
        json.writeEndArray();
    }

    static RecordingInfo read(Path directory) {
        Path file = directory.resolve(NAME);
        String text;
        try {
            if (Files.size(file) > LARGEST) {
                throw damaged(file, "it is too large");
            }
            text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            throw new LogException(LogException.Code.MISSING, directory + " is not a recording: it has no " + NAME, e);
        } catch (IOException e) {
            throw LogException.ofIo("cannot read " + file, e);
        }
        Matcher format = FORMAT_MEMBER.matcher(text);
        if (format.lookingAt() && Integer.parseInt(format.group(1)) != FORMAT) {
            throw new LogException(
                    LogException.Code.VERSION,
                    directory + " has recording format " + format.group(1) + "; this version of Eremite reads format "
                            + FORMAT);
        }
        // Latin-1 keeps every byte, so that offsets in the text are offsets in the file.
        Matcher signature = SIGNATURE.matcher(text);
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        if (!signature.find()) {
            throw damaged(file, text.isEmpty() ? "it is empty" : "its checksum is missing");
        }
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, signature.start());
        if (crc.getValue() != Long.parseLong(signature.group(1), 16)) {
            throw damaged(file, "its checksum is another one");
        }
        try {
            return info(Json.readObject(bytes, 0, bytes.length));
        } catch (RuntimeException e) {
            throw damaged(file, String.valueOf(e.getMessage()).replace('\n', ' '));
        }
    }

    private static LogException damaged(Path file, String what) {
        return new LogException(LogException.Code.DAMAGED, file + " is damaged: " + what);
    }

    private static RecordingInfo info(Map<String, Object> members) {
        RecordingStart start = new RecordingStart(
                string(members, "eremite"),
                strings(members, "argv"),
                string(members, "cwd"),
                strings(members, "env"),
                string(members, "executable"),
                string(members, "kernel"),
                string(members, "cpu"));
        return new RecordingInfo(
                string(members, "id"),
                Instant.parse(string(members, "created")),
                RecordingInfo.State.of(string(members, "state")),
                number(members, "enginePid"),
                number(members, "engineStartMs"),
                start,
                (int) number(members, "status"),
                (int) number(members, "signal"),
                number(members, "events"),
                number(members, "durationMs"),
                number(members, "bytes"),
                (int) number(members, "files"));
    }

    private static String string(Map<String, Object> members, String name) {
        if (members.get(name) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("\"" + name + "\" is missing");
    }

    private static long number(Map<String, Object> members, String name) {
        if (members.get(name) instanceof Long number) {
            return number;
        }
        throw new IllegalArgumentException("\"" + name + "\" is missing");
    }

    private static List<String> strings(Map<String, Object> members, String name) {
        if (members.get(name) instanceof List<?> list) {
            return list.stream().map(String.class::cast).toList();
        }
        throw new IllegalArgumentException("\"" + name + "\" is missing");
    }
}
