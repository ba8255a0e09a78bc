package dev.eremite.dap.mi;

/**
 * A thread.
 *
 * @param id GDB's number for it
 * @param target the system's, as in {@code Thread 12.34}
 * @param name its name; empty if it has none
 */
public record MiThread(int id, String target, String name) {
    /** Reads an element of {@code -thread-info}. */
    public static MiThread of(MiValue value) {
        return new MiThread((int) value.number("id", 0), value.text("target-id"), value.text("name"));
    }
}
