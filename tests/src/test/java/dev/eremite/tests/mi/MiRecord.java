package dev.eremite.tests.mi;

/**
 * One line of GDB/MI output.
 *
 * @param kind what sort of line
 * @param token the number of the command it answers; -1 for none
 * @param name the result class ({@code done}, {@code error} …) or asynchronous class ({@code stopped} …); empty for
 *     streams
 * @param value a tuple of the results; for streams the text
 */
public record MiRecord(Kind kind, long token, String name, MiValue value) {
    /** Sorts of line. */
    public enum Kind {
        RESULT,
        EXEC,
        STATUS,
        NOTIFY,
        CONSOLE,
        TARGET,
        LOG,
        PROMPT
    }
}
