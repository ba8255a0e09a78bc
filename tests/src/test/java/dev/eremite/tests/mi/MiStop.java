package dev.eremite.tests.mi;

/**
 * A stop as GDB told it.
 *
 * @param reason GDB's reason, such as {@code breakpoint-hit}; empty at the ends of history with older GDBs
 * @param function the function of the selected frame
 * @param line the source line, 0 without one
 * @param address the program counter
 * @param thread GDB's number of the thread
 * @param details all that GDB said
 */
public record MiStop(String reason, String function, int line, long address, int thread, MiValue details) {
    static MiStop of(MiValue details) {
        String line = details.text("frame.line");
        String address = details.text("frame.addr");
        String thread = details.text("thread-id");
        return new MiStop(
                details.text("reason"),
                details.text("frame.func"),
                line.isEmpty() ? 0 : Integer.parseInt(line),
                address.isEmpty() ? 0 : Long.parseUnsignedLong(address.substring(2), 16),
                thread.isEmpty() ? 0 : Integer.parseInt(thread),
                details);
    }

    /** The signal's name for a signal stop, else empty. */
    public String signal() {
        return details.text("signal-name");
    }

    /** Whether the process ended. */
    public boolean exited() {
        return reason.startsWith("exited");
    }

    /** Whether this is an end of history; GDB before 14 gives no reason there. */
    public boolean historyEnd() {
        return reason.isEmpty() || reason.equals("no-history");
    }
}
