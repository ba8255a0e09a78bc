package dev.eremite.tracer.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The mappings of a task as /proc/PID/maps lists them (proc_pid_maps(5)). */
public final class ProcMaps {
    /**
     * One line.
     *
     * @param start first address
     * @param end first address behind
     * @param prot PROT_ bits
     * @param shared MAP_SHARED rather than MAP_PRIVATE
     * @param offset bytes into the file
     * @param device major:minor as printed
     * @param inode the file's inode, 0 for none
     * @param path path or pseudo-name, possibly empty
     */
    public record Entry(
            long start, long end, int prot, boolean shared, long offset, String device, long inode, String path) {}

    private ProcMaps() {}

    /** Reads the mappings of a live task, in ascending order. Throws TaskGoneException when it has ended. */
    public static List<Entry> read(int tid) {
        String text;
        try {
            // ISO 8859-1 keeps file names that are not valid UTF-8 byte for byte.
            text = Files.readString(Path.of("/proc/" + tid + "/maps"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new TaskGoneException(tid);
        }
        List<Entry> entries = new ArrayList<>();
        text.lines().forEach(line -> entries.add(parse(line)));
        return entries;
    }

    static Entry parse(String line) {
        String[] field = line.split(" +", 6);
        int dash = field[0].indexOf('-');
        int prot = (field[1].charAt(0) == 'r' ? 1 : 0)
                | (field[1].charAt(1) == 'w' ? 2 : 0)
                | (field[1].charAt(2) == 'x' ? 4 : 0);
        String path = field.length > 5
                ? new String(field[5].getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8)
                : "";
        return new Entry(
                Long.parseUnsignedLong(field[0].substring(0, dash), 16),
                Long.parseUnsignedLong(field[0].substring(dash + 1), 16),
                prot,
                field[1].charAt(3) == 's',
                Long.parseUnsignedLong(field[2], 16),
                field[3],
                Long.parseLong(field[4]),
                path);
    }
}
