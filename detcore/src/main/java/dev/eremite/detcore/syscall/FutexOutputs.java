package dev.eremite.detcore.syscall;

/** Which words futex(2) itself writes: the kernel does so for priority inheritance and for FUTEX_WAKE_OP. */
final class FutexOutputs {
    private static final int FIRST = 0;
    private static final int SECOND = 4;

    private FutexOutputs() {}

    /** A failing operation may have set FUTEX_WAITERS or FUTEX_OWNER_DIED before it failed. */
    static void collect(CallView call, Output.Sink sink) {
        if (Outputs.failedWith(call, Errno.EFAULT) || Outputs.failedWith(call, Errno.ENOSYS)) {
            return;
        }
        switch (FutexOperation.of(call.arg(1))) {
            case FutexOperation.LOCK_PI, FutexOperation.UNLOCK_PI, FutexOperation.TRYLOCK_PI, FutexOperation.LOCK_PI2 ->
                sink.range(call.arg(FIRST), Outputs.INT);
            case FutexOperation.WAIT_REQUEUE_PI, FutexOperation.CMP_REQUEUE_PI -> {
                sink.range(call.arg(FIRST), Outputs.INT);
                sink.range(call.arg(SECOND), Outputs.INT);
            }
            case FutexOperation.WAKE_OP -> sink.range(call.arg(SECOND), Outputs.INT);
            default -> {
                // The other operations only read the word.
            }
        }
    }
}
