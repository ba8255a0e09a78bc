package dev.eremite.detcore.syscall;

import java.util.Set;

/**
 * What ioctl(2) writes, by request. Requests that are not listed by name are judged by the direction and size in their number
 * (include/uapi/asm-generic/ioctl.h), where the driver family is one whose structs hold no further pointers; all others are
 * not known.
 */
public final class IoctlOutputs {
    private static final int SIOCGIFCONF = 0x8912;
    private static final int FS_IOC_FIEMAP = 0xc020660b;
    private static final int FIDEDUPERANGE = 0xc0189436;
    private static final int FS_IOC_GET_ENCRYPTION_POLICY_EX = 0xc0096616;
    private static final int TCSETSW = 0x5403;
    private static final int TCSETSF = 0x5404;
    private static final int TCSETAW = 0x5407;
    private static final int TCSETAF = 0x5408;
    private static final int TCSBRK = 0x5409;
    private static final int TCXONC = 0x540a;
    private static final int TCSBRKP = 0x5425;
    private static final int TIOCMIWAIT = 0x545c;
    private static final int VT_WAITACTIVE = 0x5607;
    private static final int TCSETSW2 = 0x402c542c;
    private static final int TCSETSF2 = 0x402c542d;

    private static final int DIRECTION_SHIFT = 30;
    private static final int SIZE_SHIFT = 16;
    private static final int SIZE_MASK = 0x3fff;
    private static final int TYPE_SHIFT = 8;
    private static final int BYTE_MASK = 0xff;
    private static final int READ = 2;

    /** File systems, terminals and tunnels, randomness, clocks, input devices, VFAT; by _IOC_TYPE. */
    private static final String PLAIN_TYPES = "fTRpErv";

    /**
     * Requests of these families that do hold pointers or end in an array: PAGEMAP_SCAN, PROCMAP_QUERY, FS_IOC_GETFSUUID of
     * ext4, FS_IOC_MEASURE_VERITY, FS_IOC_READ_VERITY_METADATA, EVIOCGMASK; by type and number.
     */
    private static final Set<Integer> NOT_PLAIN = Set.of(0x6610, 0x6611, 0x662c, 0x6686, 0x6687, 0x4592);

    private static final String NO_NAME = "_IOC(%s, 0x%x, 0x%x, 0x%x)";
    private static final long MAX_LIST = 1 << 20;
    private static final long FIEMAP_EXTENT = 56;
    private static final long DEDUPE_INFO = 32;

    private IoctlOutputs() {}

    /** Whether it is known what a request writes. */
    public static boolean known(int request) {
        return IoctlRequests.find(request) != null || (direction(request) != 0 && plainType(request));
    }

    /** The request's name in C, or its parts where it has none here. */
    public static String name(int request) {
        IoctlRequests.Request known = IoctlRequests.find(request);
        if (known != null) {
            return known.name();
        }
        String direction = switch (direction(request)) {
            case 1 -> "_IOC_WRITE";
            case READ -> "_IOC_READ";
            case 3 -> "_IOC_READ|_IOC_WRITE";
            default -> "_IOC_NONE";
        };
        return NO_NAME.formatted(direction, type(request), request & BYTE_MASK, size(request));
    }

    /** Whether a request waits: for output to drain, a modem line, another console. */
    static boolean mayBlock(CallView call) {
        return switch ((int) call.arg(1)) {
            case TCSETSW,
                    TCSETSF,
                    TCSETAW,
                    TCSETAF,
                    TCSBRK,
                    TCXONC,
                    TCSBRKP,
                    TIOCMIWAIT,
                    VT_WAITACTIVE,
                    TCSETSW2,
                    TCSETSF2 -> true;
            default -> false;
        };
    }

    static void collect(CallView call, Output.Sink sink) {
        if (call.failed()) {
            return;
        }
        int request = (int) call.arg(1);
        long argument = call.arg(2);
        IoctlRequests.Request known = IoctlRequests.find(request);
        if (known != null) {
            sink.range(argument, known.size());
            tail(call, request, argument, sink);
        } else if ((direction(request) & READ) != 0 && plainType(request)) {
            sink.range(argument, size(request));
        }
    }

    /** What follows the struct or is pointed to by it. */
    private static void tail(CallView call, int request, long argument, Output.Sink sink) {
        switch (request) {
            case SIOCGIFCONF -> {
                long buffer = call.readLong(argument + Outputs.LONG);
                sink.range(buffer, Math.min(call.readInt(argument), MAX_LIST));
            }
            case FS_IOC_FIEMAP -> {
                long found = Integer.toUnsignedLong(call.readInt(argument + 20));
                long room = Integer.toUnsignedLong(call.readInt(argument + 24));
                sink.range(argument + 32, Math.min(found, room) * FIEMAP_EXTENT);
            }
            case FIDEDUPERANGE -> {
                long count = call.readInt(argument + 16) & 0xffff;
                sink.range(argument + 24, count * DEDUPE_INFO);
            }
            case FS_IOC_GET_ENCRYPTION_POLICY_EX ->
                sink.range(argument, Outputs.LONG + Outputs.unsignedMin(call.readLong(argument), MAX_LIST));
            default -> {
                // Most are one flat struct.
            }
        }
    }

    private static int direction(int request) {
        return request >>> DIRECTION_SHIFT;
    }

    private static int size(int request) {
        return request >>> SIZE_SHIFT & SIZE_MASK;
    }

    private static int type(int request) {
        return request >>> TYPE_SHIFT & BYTE_MASK;
    }

    private static boolean plainType(int request) {
        return PLAIN_TYPES.indexOf(type(request)) >= 0 && !NOT_PLAIN.contains(request & 0xffff);
    }
}
