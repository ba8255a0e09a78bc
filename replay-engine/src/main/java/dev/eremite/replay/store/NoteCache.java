package dev.eremite.replay.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32;

/**
 * Remembers what was found out about contents, so that it need not be found out for every recording. A small text file
 * for each, with a checksum, replaced as a whole, so that several recorders may use it at once. Whatever is missing or
 * damaged counts as not known.
 */
public final class NoteCache {
    private static final AtomicLong SERIAL = new AtomicLong();

    private final Path folder;

    NoteCache(Path folder) {
        this.folder = folder;
    }

    /** The note of that name, or null. */
    public String find(String name) {
        try {
            Path entry = folder.resolve(name);
            if (!Files.exists(entry)) {
                return null;
            }
            String line = Files.readString(entry, StandardCharsets.ISO_8859_1);
            int at = line.lastIndexOf(' ');
            String note = at < 0 ? "" : line.substring(0, at);
            return line.equals(line(note)) ? note : null;
        } catch (IOException e) {
            return null;
        }
    }

    /** Keeps a note, if it can. */
    public void put(String name, String note) {
        Path temporary = folder.resolve("new-" + ProcessHandle.current().pid() + "-" + SERIAL.incrementAndGet());
        try {
            Files.createDirectories(folder);
            Files.writeString(temporary, line(note), StandardCharsets.ISO_8859_1);
            Files.move(temporary, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            // It only costs time to find it out again.
            temporary.toFile().delete();
        }
    }

    private static String line(String note) {
        CRC32 sum = new CRC32();
        sum.update(note.getBytes(StandardCharsets.ISO_8859_1));
        return note + " " + Long.toHexString(sum.getValue()) + "\n";
    }
}
