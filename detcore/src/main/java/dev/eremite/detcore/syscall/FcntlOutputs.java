package dev.eremite.detcore.syscall;

import java.util.Set;

/** fcntl(2) by command. Commands are the 64-bit ones of include/uapi/linux/fcntl.h. */
final class FcntlOutputs {
    private static final int F_GETLK = 5;
    private static final int F_SETLKW = 7;
    private static final int F_GETOWN_EX = 16;
    private static final int F_GETOWNER_UIDS = 17;
    private static final int F_OFD_GETLK = 36;
    private static final int F_OFD_SETLKW = 38;
    private static final int F_GET_RW_HINT = 1035;
    private static final int F_GET_FILE_RW_HINT = 1037;
    private static final long FLOCK = 32;

    /** F_DUPFD … F_GETSIG, the owner and open-file-description lock commands, leases, pipes, seals and hints. */
    private static final Set<Integer> OTHERS = Set.of(
            0, 1, 2, 3, 4, 6, 8, 9, 10, 11, 15, 37, 1024, 1025, 1026, 1027, 1028, 1030, 1031, 1032, 1033, 1034, 1036,
            1038);

    private FcntlOutputs() {}

    static void collect(CallView call, Output.Sink sink) {
        if (!call.failed()) {
            sink.range(call.arg(2), size((int) call.arg(1)));
        }
    }

    static boolean mayBlock(CallView call) {
        int command = (int) call.arg(1);
        return command == F_SETLKW || command == F_OFD_SETLKW;
    }

    /** Whether it is known what a command writes. */
    static boolean known(int command) {
        return size(command) > 0 || command == F_SETLKW || command == F_OFD_SETLKW || OTHERS.contains(command);
    }

    private static long size(int command) {
        return switch (command) {
            case F_GETLK, F_OFD_GETLK -> FLOCK;
            case F_GETOWN_EX, F_GETOWNER_UIDS, F_GET_RW_HINT, F_GET_FILE_RW_HINT -> 8;
            default -> 0;
        };
    }
}
