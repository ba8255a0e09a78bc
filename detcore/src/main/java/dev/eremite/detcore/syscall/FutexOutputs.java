package dev.eremite.detcore.syscall;

/** Which words futex(2) itself writes: the kernel does so for priority inheritance and for FUTEX_WAKE_OP. */
final class FutexOutputs {
    static final int WAIT = 0;
    static final int WAKE = 1;
    static final int FD = 2;
    static final int REQUEUE = 3;
    static final int CMP_REQUEUE = 4;
    static final int WAKE_OP = 5;
    static final int LOCK_PI = 6;
    static final int UNLOCK_PI = 7;
    static final int TRYLOCK_PI = 8;
    static final int WAIT_BITSET = 9;
    static final int WAKE_BITSET = 10;
    static final int WAIT_REQUEUE_PI = 11;
    static final int CMP_REQUEUE_PI = 12;
    static final int LOCK_PI2 = 13;

    private static final int COMMAND_MASK = 0x7f;
    private static final int FIRST = 0;
    private static final int SECOND = 4;

    private FutexOutputs() {}

    /** The operation without FUTEX_PRIVATE_FLAG and FUTEX_CLOCK_REALTIME. */
    static int command(CallView call) {
        return (int) call.arg(1) & COMMAND_MASK;
    }

    /** A failing operation may have set FUTEX_WAITERS or FUTEX_OWNER_DIED before it failed. */
    static void collect(CallView call, Output.Sink sink) {
        if (Outputs.failedWith(call, Errno.EFAULT) || Outputs.failedWith(call, Errno.ENOSYS)) {
            return;
        }
        switch (command(call)) {
            case LOCK_PI, UNLOCK_PI, TRYLOCK_PI, LOCK_PI2 -> sink.range(call.arg(FIRST), Outputs.INT);
            case WAIT_REQUEUE_PI, CMP_REQUEUE_PI -> {
                sink.range(call.arg(FIRST), Outputs.INT);
                sink.range(call.arg(SECOND), Outputs.INT);
            }
            case WAKE_OP -> sink.range(call.arg(SECOND), Outputs.INT);
            default -> {
                // The other operations only read the word.
            }
        }
    }
}
