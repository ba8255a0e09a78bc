package dev.eremite.dap.mi;

/**
 * A line of GDB/MI output.
 *
 * @param token the number of the command that it answers; −1 when it answers none
 * @param name the class of a result or of an asynchronous record, such as {@code done}; empty for streams
 * @param value the results; for streams, the text
 */
public record MiRecord(Kind kind, long token, String name, MiValue value) {
    /** Kinds of line. */
    public enum Kind {
        /** {@code ^}: the answer to a command. */
        RESULT,
        /** {@code *}: the program runs or has stopped. */
        EXEC,
        /** {@code +}: how far a slow command is. */
        STATUS,
        /** {@code =}: something else has changed. */
        NOTIFY,
        /** {@code ~}: what a console shows. */
        CONSOLE,
        /** {@code @}: what the target says. */
        TARGET,
        /** {@code &}: GDB's own log, failures among it. */
        LOG,
        /** {@code (gdb)}. */
        PROMPT
    }

    /** The text of a stream. */
    public String text() {
        return value instanceof MiValue.Text(String text) ? text : "";
    }
}
