package dev.eremite.detcore.syscall;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Predicate;

/** The common shapes of output: fixed structs, buffers sized by the result, vectors. Sizes are bytes. */
final class Outputs {
    static final long TIMESPEC = 16;
    static final long TIMEVAL = 16;
    static final long TIMEZONE = 8;
    static final long ITIMERSPEC = 32;
    static final long ITIMERVAL = 32;
    static final long TIMEX = 208;
    static final long STAT_SIZE = 144;
    static final long STATX_SIZE = 256;
    static final long STATFS_SIZE = 120;
    static final long RUSAGE = 144;
    static final long RLIMIT = 16;
    static final long SIGINFO = 128;
    static final long INT = 4;
    static final long LONG = 8;

    /** Linux takes no more elements in one vector (UIO_MAXIOV). */
    static final long MAX_IOVECS = 1024;

    private static final long IOVEC = 16;

    private Outputs() {}

    /** {@code size} bytes where argument {@code arg} points, when the call succeeded. */
    static Output fixed(int arg, long size) {
        return (call, sink) -> {
            if (!call.failed()) {
                sink.range(call.arg(arg), size);
            }
        };
    }

    /** {@code size} bytes where argument {@code arg} points, whatever the result: the kernel writes before it can fail. */
    static Output evenOnFailure(int arg, long size) {
        return when(call -> !failedWith(call, Errno.EFAULT) && !failedWith(call, Errno.ENOSYS), plain(arg, size));
    }

    /** {@code size} bytes where argument {@code arg} points; for use inside a condition. */
    static Output plain(int arg, long size) {
        return (call, sink) -> sink.range(call.arg(arg), size);
    }

    /** As many bytes as the result says. */
    static Output bytesFromResult(int arg) {
        return (call, sink) -> sink.range(call.arg(arg), Math.max(0, call.result()));
    }

    /** As many elements of {@code size} bytes as the result says. */
    static Output elementsFromResult(int arg, long size) {
        return (call, sink) -> sink.range(call.arg(arg), call.failed() ? 0 : call.result() * size);
    }

    /** As many bytes as the result says, but not more than argument {@code sizeArg} allows. */
    static Output bytesFromResult(int arg, int sizeArg) {
        return (call, sink) -> {
            if (!call.failed()) {
                sink.range(call.arg(arg), unsignedMin(call.result(), call.arg(sizeArg)));
            }
        };
    }

    /** As many bytes as argument {@code sizeArg} says, at most {@code limit}, when the call succeeded. */
    static Output sizedByArgument(int arg, int sizeArg, long limit) {
        return (call, sink) -> {
            if (!call.failed()) {
                sink.range(call.arg(arg), unsignedMin(call.arg(sizeArg), limit));
            }
        };
    }

    /** The first result bytes of the buffers in an iovec array. */
    static Output vector(int arg, int countArg) {
        return (call, sink) -> {
            if (!call.failed()) {
                vector(call, call.arg(arg), call.arg(countArg), call.result(), sink);
            }
        };
    }

    /** Reports the first {@code total} bytes of {@code count} buffers listed at {@code iovecs}. */
    static void vector(CallView call, long iovecs, long count, long total, Output.Sink sink) {
        if (iovecs == 0 || count <= 0 || total <= 0) {
            return;
        }
        int known = (int) Math.min(count, MAX_IOVECS);
        ByteBuffer list =
                ByteBuffer.wrap(call.read(iovecs, (int) (known * IOVEC))).order(ByteOrder.LITTLE_ENDIAN);
        long rest = total;
        for (int i = 0; i < known && rest > 0; i++) {
            long length = unsignedMin(list.getLong((int) (i * IOVEC) + 8), rest);
            sink.range(list.getLong((int) (i * IOVEC)), length);
            rest -= length;
        }
    }

    /** {@code output} only where {@code condition} holds. */
    static Output when(Predicate<CallView> condition, Output output) {
        return (call, sink) -> {
            if (condition.test(call)) {
                output.collect(call, sink);
            }
        };
    }

    /** {@code output} when the call succeeded with a result above zero. */
    static Output whenPositive(Output output) {
        return when(call -> call.result() > 0, output);
    }

    /** Whether the call was turned away before it wrote anything: a bad pointer or a bad argument. */
    static boolean rejected(CallView call) {
        return failedWith(call, Errno.EFAULT) || failedWith(call, Errno.EINVAL) || failedWith(call, Errno.ENOSYS);
    }

    /** Whether a signal ended the call, as the program or as a tracer sees it. */
    static boolean interrupted(CallView call) {
        Errno errno = call.failed() ? Errno.of(-call.result()) : null;
        return errno != null && (errno == Errno.EINTR || errno.isRestart());
    }

    static boolean failedWith(CallView call, Errno errno) {
        return call.result() == -errno.number();
    }

    static long unsignedMin(long a, long b) {
        return Long.compareUnsigned(a, b) < 0 ? a : b;
    }
}
