package dev.eremite.replay.store;

import dev.eremite.replay.log.LogException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * {@code files.jsonl}: which blob holds the file that the guest knew by a path. It grows by whole lines while recording,
 * each behind its own checksum, so that a recording that was cut short has all lines but perhaps its last.
 */
final class FileTable implements AutoCloseable {
    static final String NAME = "files.jsonl";

    private final LineFile lines;
    private final Map<String, String> known = new LinkedHashMap<>();
    private int count;

    FileTable(Path directory) {
        lines = new LineFile(directory.resolve(NAME));
    }

    /** Adds an entry, unless it is there already; the last entry of a path counts. */
    void add(String path, String blob) {
        if (blob.equals(known.put(path, blob))) {
            return;
        }
        byte[] entry = Json.write(false, json -> {
            json.writeStartObject();
            json.writeStringProperty("path", Json.text(path));
            json.writeStringProperty("blob", blob);
            json.writeEndObject();
        });
        lines.add(checksum(entry, 0, entry.length) + " " + new String(entry, StandardCharsets.UTF_8));
        count++;
    }

    int count() {
        return count;
    }

    private static String checksum(byte[] bytes, int offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, offset, length);
        return "%08x".formatted(crc.getValue());
    }

    /**
     * The entries of a recording.
     *
     * @param expected how many lines there must be, or −1 for a recording that was cut short
     */
    static Map<String, String> read(Path directory, int expected) {
        Path file = directory.resolve(NAME);
        byte[] bytes;
        try {
            bytes = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
        } catch (IOException e) {
            throw LogException.ofIo("cannot read " + file, e);
        }
        Map<String, String> entries = new LinkedHashMap<>();
        int count = 0;
        int start = 0;
        while (start < bytes.length) {
            int end = start;
            while (end < bytes.length && bytes[end] != '\n') {
                end++;
            }
            if (end == bytes.length && expected < 0) {
                break;
            }
            line(file, ++count, bytes, start, end, entries);
            start = end + 1;
        }
        if (expected >= 0 && count != expected) {
            throw new LogException(
                    LogException.Code.DAMAGED,
                    file + " is damaged: it has " + count + " entries instead of " + expected);
        }
        return entries;
    }

    private static void line(Path file, int number, byte[] bytes, int start, int end, Map<String, String> entries) {
        int json = start + 9;
        String stored = json < end ? new String(bytes, start, 9, StandardCharsets.ISO_8859_1) : "";
        if (!stored.equals(json < end ? checksum(bytes, json, end - json) + " " : " ")) {
            throw new LogException(
                    LogException.Code.DAMAGED, file + " is damaged: line " + number + " has another checksum");
        }
        try {
            Map<String, Object> entry = Json.readObject(bytes, json, end - json);
            entries.put((String) entry.get("path"), (String) entry.get("blob"));
        } catch (RuntimeException e) {
            throw new LogException(LogException.Code.DAMAGED, file + " is damaged: line " + number, e);
        }
    }

    @Override
    public void close() {
        lines.close();
    }
}
