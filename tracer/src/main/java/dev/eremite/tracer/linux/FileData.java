package dev.eremite.tracer.linux;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/** Where a sparse file has data (lseek(2), SEEK_DATA). */
public final class FileData {
    private static final int SEEK_DATA = 3;
    private static final int SEEK_HOLE = 4;
    private static final int ENXIO = 6;
    private static final int O_CLOEXEC = 02000000;

    private FileData() {}

    /**
     * A stretch of data.
     *
     * @param start where it begins in the file
     * @param end where the hole behind it begins
     */
    public record Stretch(long start, long end) {}

    /**
     * The end of a file's last data; behind it are only holes, which read as zeros.
     *
     * @param path the file, possibly {@code /proc/PID/fd/N}
     * @param size its size, which is also the answer where the file or the file system cannot tell
     */
    public static long end(Tracer tracer, String path, long size) {
        List<Stretch> stretches = stretches(tracer, path, size);
        return stretches.isEmpty() ? 0 : stretches.getLast().end();
    }

    /**
     * Where a file has data, in ascending order; between are only holes, which read as zeros.
     *
     * @param path the file, possibly {@code /proc/PID/fd/N}
     * @param size its size; where the file or the file system cannot tell, all of it counts as data
     */
    public static List<Stretch> stretches(Tracer tracer, String path, long size) {
        try (Arena local = Arena.ofConfined()) {
            long name = local.allocateFrom(path).address();
            long fd = Libc.syscall(tracer.capture, Sys.OPEN, name, O_CLOEXEC, 0, 0, 0, 0);
            if (fd < 0) {
                return List.of(new Stretch(0, size));
            }
            try {
                return stretches(tracer, fd, size);
            } finally {
                tracer.closeFd((int) fd);
            }
        }
    }

    private static List<Stretch> stretches(Tracer tracer, long fd, long size) {
        List<Stretch> stretches = new ArrayList<>();
        long end = 0;
        while (end < size) {
            long data = Libc.syscall(tracer.capture, Sys.LSEEK, fd, end, SEEK_DATA, 0, 0, 0);
            if (data < 0 && tracer.errno() == ENXIO) {
                break;
            }
            long hole = data < 0 ? data : Libc.syscall(tracer.capture, Sys.LSEEK, fd, data, SEEK_HOLE, 0, 0, 0);
            if (hole <= data) {
                stretches.add(new Stretch(end, size));
                break;
            }
            end = Math.min(hole, size);
            stretches.add(new Stretch(Math.min(data, size), end));
        }
        return stretches;
    }
}
