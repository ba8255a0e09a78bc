package dev.eremite.dap.mi;

/**
 * A frame of a stack.
 *
 * @param level 0 for the innermost
 * @param function its name; empty where none is known
 * @param path the source as an absolute path; empty without debug information
 * @param line from 1 on; 0 without debug information
 */
public record MiFrame(int level, long address, String function, String path, int line) {
    /** Reads a {@code frame} tuple. */
    public static MiFrame of(MiValue value) {
        return new MiFrame(
                (int) value.number("level", 0),
                value.number("addr", 0),
                value.text("func"),
                value.text("fullname"),
                (int) value.number("line", 0));
    }
}
