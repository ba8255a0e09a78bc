package dev.eremite.dap.mi;

/**
 * A {@code *stopped} record.
 *
 * @param reason why, in MI's words; empty where GDB gives none
 * @param thread GDB's number of the thread that stopped; 0 if it names none
 * @param breakpoint the number of the breakpoint or watchpoint that was hit; 0 if none
 * @param signal the name of the signal, such as {@code SIGSEGV}; empty if none
 * @param signalMeaning what the signal means
 * @param oldValue the watched value before; empty if none
 * @param newValue the watched value now; empty if none
 * @param result the name of the variable with a finished function's result; empty if none
 */
public record MiStop(
        String reason,
        int thread,
        int breakpoint,
        String signal,
        String signalMeaning,
        String oldValue,
        String newValue,
        String result) {
    /** Reads the results of the record. */
    public static MiStop of(MiValue value) {
        int number = (int) value.number("bkptno", 0);
        for (String kind : new String[] {"wpt", "hw-rwpt", "hw-awpt"}) {
            number = value.has(kind) ? (int) value.at(kind).number("number", 0) : number;
        }
        MiValue values = value.at("value");
        boolean plain = values.has("value");
        return new MiStop(
                value.text("reason"),
                (int) value.number("thread-id", 0),
                number,
                value.text("signal-name"),
                value.text("signal-meaning"),
                plain ? values.text("value") : values.text("old"),
                plain ? values.text("value") : values.text("new"),
                value.text("gdb-result-var"));
    }
}
