package dev.eremite.detcore.syscall;

/** The system calls of x86-64 Linux, one row for each number. */
public final class SyscallTable {
    private final SyscallRow[] rows;

    SyscallTable(SyscallRow[] rows) {
        this.rows = rows;
    }

    /** The row of that number, or null when the table knows none. */
    public SyscallRow find(int number) {
        return number >= 0 && number < rows.length ? rows[number] : null;
    }

    /** One more than the highest number. */
    public int limit() {
        return rows.length;
    }
}
