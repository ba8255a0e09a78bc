package dev.eremite.tracer.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Looks at what waits in a pipe of a guest without taking it out (tee(2)). */
public final class PipePeek {
    private static final int O_NONBLOCK = 04000;
    private static final int O_CLOEXEC = 02000000;
    private static final int SPLICE_F_NONBLOCK = 2;
    private static final int EAGAIN = 11;
    private static final int MOST = 1 << 16;

    private PipePeek() {}

    /**
     * The next bytes of a pipe or FIFO.
     *
     * @param path the pipe, as {@code /proc/PID/fd/N}
     * @return as many of the bytes as can be had at once, 64 KiB at most; empty when the pipe is at its end; null when it is
     *     empty but has writers
     */
    public static byte[] peek(Tracer tracer, String path) {
        try (Arena local = Arena.ofConfined()) {
            MemorySegment name = local.allocateFrom(path);
            MemorySegment ends = local.allocate(8, 4);
            long pipe = call(tracer, "open", Sys.OPEN, name.address(), O_NONBLOCK | O_CLOEXEC, 0, 0);
            call(tracer, "pipe2", Sys.PIPE2, ends.address(), O_NONBLOCK | O_CLOEXEC, 0, 0);
            int from = ends.get(JAVA_INT, 0);
            int to = ends.get(JAVA_INT, 4);
            try {
                long copied = Libc.syscall(tracer.capture, Sys.TEE, pipe, to, MOST, SPLICE_F_NONBLOCK, 0, 0);
                if (copied < 0 && tracer.errno() == EAGAIN) {
                    return null;
                }
                return copied <= 0 ? new byte[0] : read(tracer, local, from, (int) copied);
            } finally {
                tracer.closeFd(from);
                tracer.closeFd(to);
                tracer.closeFd((int) pipe);
            }
        }
    }

    private static byte[] read(Tracer tracer, Arena local, int fd, int length) {
        MemorySegment buffer = local.allocate(length);
        int done = 0;
        while (done < length) {
            long got =
                    Libc.syscall(tracer.capture, Sys.READ, fd, buffer.address() + done, (long) length - done, 0, 0, 0);
            if (got <= 0) {
                break;
            }
            done += (int) got;
        }
        return Arrays.copyOf(buffer.toArray(JAVA_BYTE), done);
    }

    private static long call(Tracer tracer, String what, int number, long a, long b, long c, long d) {
        long result = Libc.syscall(tracer.capture, number, a, b, c, d, 0, 0);
        if (result < 0) {
            throw new TracerException(what + " to look into a pipe", tracer.errno());
        }
        return result;
    }
}
