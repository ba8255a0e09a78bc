package dev.eremite.dap.mi;

/**
 * A variable object.
 *
 * @param name GDB's name for the object, for further commands
 * @param expression what it stands for in its parent: a variable, a field, an index
 * @param children how many it has; for a dynamic one, those that have been made so far
 * @param value as text; {@code {...}} for structures
 * @param dynamic whether a pretty printer shows it
 * @param more whether a dynamic one has children that have not been made
 * @param hint the printer's: {@code array}, {@code map}, {@code string}, or empty
 */
public record MiVariable(
        String name,
        String expression,
        int children,
        String value,
        String type,
        boolean dynamic,
        boolean more,
        String hint) {
    /** Reads the results of {@code -var-create}, or a {@code child}. */
    public static MiVariable of(MiValue value) {
        return new MiVariable(
                value.text("name"),
                value.text("exp"),
                (int) value.number("numchild", 0),
                value.text("value"),
                value.text("type"),
                value.number("dynamic", 0) == 1,
                value.number("has_more", 0) == 1,
                value.text("displayhint"));
    }

    /** Whether it can be opened. */
    public boolean hasChildren() {
        return children > 0 || dynamic && more;
    }

    /** The same with another text for its value. */
    public MiVariable valued(String text) {
        return new MiVariable(name, expression, children, text, type, dynamic, more, hint);
    }
}
