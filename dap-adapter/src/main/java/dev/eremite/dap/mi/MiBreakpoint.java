package dev.eremite.dap.mi;

import java.util.List;

/**
 * A breakpoint.
 *
 * @param number GDB's number for it
 * @param pending whether no code for it has been found yet
 * @param address the address, or that of its first place
 * @param path the source as an absolute path; empty without debug information
 * @param line the line where it is, which may be later than asked for; 0 without debug information
 */
public record MiBreakpoint(int number, boolean pending, long address, String path, int line) {
    /** Reads a {@code bkpt} tuple. */
    public static MiBreakpoint of(MiValue value) {
        List<MiValue> places = value.list("locations");
        MiValue place = places.isEmpty() ? value : places.getFirst();
        return new MiBreakpoint(
                (int) value.number("number", 0),
                value.text("addr").equals("<PENDING>"),
                place.number("addr", 0),
                place.text("fullname"),
                (int) place.number("line", 0));
    }
}
