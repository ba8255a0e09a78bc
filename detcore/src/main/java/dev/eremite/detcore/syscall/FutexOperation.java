package dev.eremite.detcore.syscall;

/** The operations of futex(2), which its second argument holds with flags. */
public final class FutexOperation {
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

    private FutexOperation() {}

    /** The operation without FUTEX_PRIVATE_FLAG and FUTEX_CLOCK_REALTIME. */
    static int of(long argument) {
        return (int) argument & COMMAND_MASK;
    }

    /** Whether it waits for a word that only others write (FUTEX_WAIT, FUTEX_WAIT_BITSET). */
    public static boolean onlyWaits(long argument) {
        int operation = of(argument);
        return operation == WAIT || operation == WAIT_BITSET;
    }

    /** Whether it waits for a lock with priority inheritance, in whose word it says so (FUTEX_LOCK_PI, FUTEX_LOCK_PI2). */
    public static boolean waitsForLock(long argument) {
        int operation = of(argument);
        return operation == LOCK_PI || operation == LOCK_PI2;
    }
}
