package dev.eremite.dap.mi;

/**
 * A frame of a stack.
 *
 * @param level 0 for the innermost
 * @param function its name; empty where none is known
 * @param file the source as the compiler named it; empty without debug information
 * @param path the source as an absolute path; empty without debug information
 * @param line from 1 on; 0 without debug information
 * @param object the file that the code comes from; empty if unknown
 */
public record MiFrame(int level, long address, String function, String file, String path, int line, String object) {
    /** Reads a {@code frame} tuple. */
    public static MiFrame of(MiValue value) {
        return new MiFrame(
                (int) value.number("level", 0),
                value.number("addr", 0),
                value.text("func"),
                value.text("file"),
                value.text("fullname"),
                (int) value.number("line", 0),
                value.text("from"));
    }
}
