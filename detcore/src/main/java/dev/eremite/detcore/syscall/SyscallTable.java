package dev.eremite.detcore.syscall;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** The system calls of x86-64 Linux, one row for each number. */
public final class SyscallTable {
    private final SyscallRow[] rows;

    SyscallTable(SyscallRow[] rows) {
        this.rows = rows;
    }

    /** The table of Linux 6.18. */
    public static SyscallTable linux() {
        return Holder.LINUX;
    }

    /** The row of that number, or null when the table knows none. */
    public SyscallRow find(int number) {
        return number >= 0 && number < rows.length ? rows[number] : null;
    }

    /** One more than the highest number. */
    public int limit() {
        return rows.length;
    }

    /** All rows in the order of their numbers. */
    public List<SyscallRow> rows() {
        return Arrays.stream(rows).filter(Objects::nonNull).toList();
    }

    /** Built at first use: commands that need no table do not pay for it. */
    private static final class Holder {
        static final SyscallTable LINUX = build();

        private static SyscallTable build() {
            TableBuilder table = new TableBuilder(SyscallNumbers.NEWEST + 1);
            FileCalls.register(table);
            PathCalls.register(table);
            DescriptorCalls.register(table);
            MemoryCalls.register(table);
            ProcessCalls.register(table);
            SchedulingCalls.register(table);
            SignalCalls.register(table);
            TimeCalls.register(table);
            NetworkCalls.register(table);
            PollCalls.register(table);
            IpcCalls.register(table);
            SystemCalls.register(table);
            RefusedCalls.register(table);
            return table.build();
        }
    }
}
