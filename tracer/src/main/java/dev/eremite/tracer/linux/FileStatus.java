package dev.eremite.tracer.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * Part of struct stat (stat(2)).
 *
 * @param device st_dev
 * @param inode st_ino
 * @param mode st_mode
 * @param size st_size in bytes
 */
public record FileStatus(long device, long inode, int mode, long size) {
    private static final int TYPE_MASK = 0170000;
    private static final int REGULAR = 0100000;
    private static final int FIFO = 0010000;
    private static final int SOCKET = 0140000;
    private static final long INODE = 8;
    private static final long MODE = 24;
    private static final long SIZE = 48;

    static FileStatus from(MemorySegment stat) {
        return new FileStatus(
                stat.get(JAVA_LONG, 0),
                stat.get(JAVA_LONG, INODE),
                stat.get(JAVA_INT, MODE),
                stat.get(JAVA_LONG, SIZE));
    }

    /** Whether it is a socket. */
    public boolean socket() {
        return (mode & TYPE_MASK) == SOCKET;
    }

    /** Whether it is a pipe or FIFO. */
    public boolean fifo() {
        return (mode & TYPE_MASK) == FIFO;
    }

    /** Whether it is a regular file. */
    public boolean regular() {
        return (mode & TYPE_MASK) == REGULAR;
    }
}
