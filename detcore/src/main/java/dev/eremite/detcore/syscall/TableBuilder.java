package dev.eremite.detcore.syscall;

/** Collects rows; a number that is registered twice is an error at once. */
final class TableBuilder {
    private final RowBuilder[] rows;

    TableBuilder(int limit) {
        this.rows = new RowBuilder[limit];
    }

    /** The kernel runs it, and replay takes result and outputs from the log. */
    RowBuilder record(int number, String name) {
        return add(new RowBuilder(number, name, Handling.RECORD));
    }

    /** The kernel runs it in recording and replay. */
    RowBuilder runNatively(int number, String name) {
        return add(new RowBuilder(number, name, Handling.NATIVE));
    }

    /** The engine answers it. */
    RowBuilder emulate(int number, String name) {
        return add(new RowBuilder(number, name, Handling.EMULATE));
    }

    /** The engine has code of its own for it. */
    RowBuilder special(int number, String name) {
        return add(new RowBuilder(number, name, Handling.SPECIAL));
    }

    /** It fails with {@code errno}, for a reason that completes the sentence "refused because …". */
    RowBuilder refuse(int number, String name, Errno errno, String reason) {
        return add(new RowBuilder(number, name, Handling.REFUSE).refused(errno, reason));
    }

    private RowBuilder add(RowBuilder row) {
        if (rows[row.number()] != null) {
            throw new IllegalStateException("two rows for system call " + row.number());
        }
        rows[row.number()] = row;
        return row;
    }

    SyscallTable build() {
        SyscallRow[] built = new SyscallRow[rows.length];
        for (int i = 0; i < rows.length; i++) {
            built[i] = rows[i] == null ? null : rows[i].build();
        }
        return new SyscallTable(built);
    }
}
