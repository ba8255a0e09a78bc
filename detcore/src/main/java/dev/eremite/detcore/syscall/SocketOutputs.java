package dev.eremite.detcore.syscall;

/** Outputs of the socket calls: value-result lengths, message headers. */
final class SocketOutputs {
    /** struct sockaddr_storage: no address is longer. */
    private static final long MAX_ADDRESS = 128;

    private static final long MAX_OPTION = 1 << 20;
    private static final long MAX_CONTROL = 1 << 20;
    private static final int SOL_SOCKET = 1;
    private static final int SO_GET_FILTER = 26;
    private static final long MMSGHDR = 64;
    private static final long MMSGHDR_LEN = 56;
    private static final int MSG_NAME = 0;
    private static final int MSG_NAMELEN = 8;
    private static final int MSG_IOV = 16;
    private static final int MSG_IOVLEN = 24;
    private static final int MSG_CONTROL = 32;
    private static final int MSG_CONTROLLEN = 40;
    private static final int MSG_FLAGS = 48;

    private SocketOutputs() {}

    /**
     * A socket address and the int that is its length. The capacity that the program gave is overwritten by the call, so the
     * range may reach past a buffer that was too small.
     */
    static Output address(int addressArg, int lengthArg) {
        return (call, sink) -> {
            long length = call.arg(lengthArg);
            if (call.failed() || call.arg(addressArg) == 0 || length == 0) {
                return;
            }
            sink.range(length, Outputs.INT);
            sink.range(call.arg(addressArg), clamp(call.readInt(length), MAX_ADDRESS));
        };
    }

    /** The value of getsockopt(2). With ERANGE only the length that would do is written. */
    static void option(CallView call, Output.Sink sink) {
        long length = call.arg(4);
        if (length == 0 || (call.failed() && !Outputs.failedWith(call, Errno.ERANGE))) {
            return;
        }
        sink.range(length, Outputs.INT);
        if (!call.failed()) {
            sink.range(call.arg(3), clamp(call.readInt(length) * optionUnit(call), MAX_OPTION));
        }
    }

    /** SO_GET_FILTER counts instructions of 8 bytes, all other options bytes. */
    private static long optionUnit(CallView call) {
        return (int) call.arg(1) == SOL_SOCKET && (int) call.arg(2) == SO_GET_FILTER ? Outputs.LONG : 1;
    }

    /** What recvmsg(2) wrote through the struct msghdr at argument 1. */
    static void message(CallView call, Output.Sink sink) {
        if (!call.failed()) {
            message(call, call.arg(1), call.result(), sink);
        }
    }

    /** What recvmmsg(2) wrote: as many messages as the result says, and the remaining timeout. */
    static void messages(CallView call, Output.Sink sink) {
        if (call.result() <= 0) {
            return;
        }
        long header = call.arg(1);
        for (long i = 0; i < Math.min(call.result(), Outputs.MAX_IOVECS); i++, header += MMSGHDR) {
            sink.range(header + MMSGHDR_LEN, Outputs.INT);
            message(call, header, Integer.toUnsignedLong(call.readInt(header + MMSGHDR_LEN)), sink);
        }
        sink.range(call.arg(4), Outputs.TIMESPEC);
    }

    /** sendmmsg(2) notes how much of each message went out. */
    static void sentLengths(CallView call, Output.Sink sink) {
        for (long i = 0; i < Math.min(call.result(), Outputs.MAX_IOVECS); i++) {
            sink.range(call.arg(1) + i * MMSGHDR + MMSGHDR_LEN, Outputs.INT);
        }
    }

    private static void message(CallView call, long header, long total, Output.Sink sink) {
        long name = call.readLong(header + MSG_NAME);
        if (name != 0) {
            sink.range(name, clamp(call.readInt(header + MSG_NAMELEN), MAX_ADDRESS));
            sink.range(header + MSG_NAMELEN, Outputs.INT);
        }
        Outputs.vector(call, call.readLong(header + MSG_IOV), call.readLong(header + MSG_IOVLEN), total, sink);
        long control = call.readLong(header + MSG_CONTROL);
        if (control != 0) {
            sink.range(control, Outputs.unsignedMin(call.readLong(header + MSG_CONTROLLEN), MAX_CONTROL));
        }
        sink.range(header + MSG_CONTROLLEN, MSG_FLAGS + Outputs.INT - MSG_CONTROLLEN);
    }

    private static long clamp(long length, long limit) {
        return Math.min(Math.max(length, 0), limit);
    }
}
