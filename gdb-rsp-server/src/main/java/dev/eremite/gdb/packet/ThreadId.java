package dev.eremite.gdb.packet;

import dev.eremite.gdb.codec.PacketCursor;
import dev.eremite.gdb.codec.PacketException;

/**
 * A thread as packets name it.
 *
 * @param process the process, {@link #ANY} or {@link #ALL}
 * @param thread the thread, {@link #ANY} or {@link #ALL}
 */
record ThreadId(int process, int thread) {
    /** Whichever the server likes; in practice the one that stopped. */
    static final int ANY = 0;
    /** Every one. */
    static final int ALL = -1;

    static final ThreadId ANY_THREAD = new ThreadId(ANY, ANY);

    /** Reads {@code pP.T}, {@code pP} or {@code T}, each number hexadecimal or −1. */
    static ThreadId read(PacketCursor in) {
        if (!in.accept('p')) {
            return new ThreadId(ANY, number(in));
        }
        int process = number(in);
        return new ThreadId(process, in.accept('.') ? number(in) : ALL);
    }

    private static int number(PacketCursor in) {
        if (!in.accept('-')) {
            return in.hexUpTo(Integer.MAX_VALUE);
        }
        if (in.hex() != 1) {
            throw PacketException.malformed("thread id");
        }
        return ALL;
    }

    /** Whether it names one thread. */
    boolean single() {
        return thread > 0;
    }

    /** The id for a client that does or does not know several processes. */
    String text(boolean multiprocess) {
        return multiprocess
                ? "p" + Integer.toHexString(process) + "." + Integer.toHexString(thread)
                : Integer.toHexString(thread);
    }
}
