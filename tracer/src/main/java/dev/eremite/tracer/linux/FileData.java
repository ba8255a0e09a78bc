package dev.eremite.tracer.linux;

import java.lang.foreign.Arena;

/** Where a sparse file has data (lseek(2), SEEK_DATA). */
public final class FileData {
    private static final int SEEK_DATA = 3;
    private static final int SEEK_HOLE = 4;
    private static final int O_CLOEXEC = 02000000;

    private FileData() {}

    /**
     * The end of a file's last data; behind it are only holes, which read as zeros.
     *
     * @param path the file, possibly {@code /proc/PID/fd/N}
     * @param size its size, which is also the answer where the file or the file system cannot tell
     */
    public static long end(Tracer tracer, String path, long size) {
        try (Arena local = Arena.ofConfined()) {
            long name = local.allocateFrom(path).address();
            long fd = Libc.syscall(tracer.capture, Sys.OPEN, name, O_CLOEXEC, 0, 0, 0, 0);
            if (fd < 0) {
                return size;
            }
            try {
                return end(tracer, fd, size);
            } finally {
                tracer.closeFd((int) fd);
            }
        }
    }

    private static long end(Tracer tracer, long fd, long size) {
        long end = 0;
        while (end < size) {
            long data = Libc.syscall(tracer.capture, Sys.LSEEK, fd, end, SEEK_DATA, 0, 0, 0);
            if (data < 0) {
                int enxio = 6;
                return tracer.errno() == enxio ? end : size;
            }
            long hole = Libc.syscall(tracer.capture, Sys.LSEEK, fd, data, SEEK_HOLE, 0, 0, 0);
            if (hole <= data) {
                return size;
            }
            end = hole;
        }
        return Math.min(end, size);
    }
}
