package dev.eremite.detcore.syscall;

import java.util.function.Predicate;

/** Which calls may wait in the kernel, judged by their arguments alone. */
final class Blocking {
    private static final int LOCK_NB = 4;
    private static final int WNOHANG = 1;
    private static final int IPC_NOWAIT = 04000;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int SPLICE_F_NONBLOCK = 2;
    private static final int O_NONBLOCK = 04000;
    private static final int O_PATH = 010000000;
    private static final int GRND_NONBLOCK = 1;
    private static final int GRND_INSECURE = 4;

    private Blocking() {}

    /** Unless one of {@code flags} is set in argument {@code arg}. */
    static Predicate<CallView> unless(int arg, int flags) {
        return call -> (call.arg(arg) & flags) == 0;
    }

    static Predicate<CallView> flock() {
        return unless(1, LOCK_NB);
    }

    static Predicate<CallView> waitOptions(int arg) {
        return unless(arg, WNOHANG);
    }

    static Predicate<CallView> ipcFlags(int arg) {
        return unless(arg, IPC_NOWAIT);
    }

    static Predicate<CallView> messageFlags(int arg) {
        return unless(arg, MSG_DONTWAIT);
    }

    static Predicate<CallView> spliceFlags(int arg) {
        return unless(arg, SPLICE_F_NONBLOCK);
    }

    static Predicate<CallView> random() {
        return unless(2, GRND_NONBLOCK | GRND_INSECURE);
    }

    /** Opening a FIFO or a terminal waits for the other side. */
    static Predicate<CallView> openFlags(int arg) {
        return unless(arg, O_NONBLOCK | O_PATH);
    }

    /** A timeout in milliseconds as an int: zero does not wait, a negative one waits for ever. */
    static Predicate<CallView> milliseconds(int arg) {
        return call -> (int) call.arg(arg) != 0;
    }

    /** A pointer to a struct timespec or timeval: null waits for ever, zero does not wait. */
    static Predicate<CallView> timeAt(int arg) {
        return call -> {
            long address = call.arg(arg);
            return address == 0 || call.readLong(address) != 0 || call.readLong(address + Outputs.LONG) != 0;
        };
    }

    /** FUTEX_WAIT, LOCK_PI, WAIT_BITSET, WAIT_REQUEUE_PI and LOCK_PI2 wait; the others only wake or move waiters. */
    static boolean futex(CallView call) {
        return switch (FutexOperation.of(call.arg(1))) {
            case FutexOperation.WAIT,
                    FutexOperation.LOCK_PI,
                    FutexOperation.WAIT_BITSET,
                    FutexOperation.WAIT_REQUEUE_PI,
                    FutexOperation.LOCK_PI2 -> true;
            default -> false;
        };
    }
}
