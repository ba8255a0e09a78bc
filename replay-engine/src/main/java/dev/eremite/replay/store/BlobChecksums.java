package dev.eremite.replay.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * {@code checksums}: the CRC-32C of each blob, which is found out a hundred times as fast as its SHA-256. A line for each
 * blob: its name, a space, eight hexadecimal digits. It only saves time: a blob that has no line here, or another
 * checksum, is compared with its name.
 */
final class BlobChecksums implements AutoCloseable {
    static final String NAME = "checksums";

    private static final Pattern LINE = Pattern.compile("([0-9a-f]{64}) ([0-9a-f]{8})");

    private final LineFile lines;

    BlobChecksums(Path directory) {
        lines = new LineFile(directory.resolve(NAME));
    }

    void add(BlobContent blob) {
        lines.add(blob.name() + " " + blob.checksum());
    }

    /** As it stands in a line. */
    static String text(Checksum checksum) {
        return "%08x".formatted(checksum.getValue());
    }

    /** The checksums of a recording by the names of its blobs; none of those that cannot be read. */
    static Map<String, String> read(Path directory) {
        Map<String, String> checksums = new HashMap<>();
        try {
            Path file = directory.resolve(NAME);
            if (Files.exists(file)) {
                Matcher lines = LINE.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
                while (lines.find()) {
                    checksums.put(lines.group(1), lines.group(2));
                }
            }
        } catch (IOException e) {
            checksums.clear();
        }
        return checksums;
    }

    /** The checksum of a file's content. */
    static String of(Path file) throws IOException {
        CRC32C checksum = new CRC32C();
        try (InputStream in = Files.newInputStream(file)) {
            byte[] buffer = new byte[256 << 10];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                checksum.update(buffer, 0, count);
            }
        }
        return text(checksum);
    }

    @Override
    public void close() {
        lines.close();
    }
}
