package dev.eremite.tracer.linux;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The size of a terminal; see ioctl_tty(2), TIOCGWINSZ. */
public final class TerminalSize {
    private static final long TIOCGWINSZ = 0x5413;

    private TerminalSize() {}

    /** How many columns the terminal at that descriptor has; 0 when it is no terminal or does not tell. */
    public static int columns(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            // struct winsize: rows, columns and two sizes in pixels, 16 bits each.
            MemorySegment size = arena.allocate(8, 8);
            long result =
                    Libc.syscall(Libc.newCapture(arena), Sys.IOCTL, descriptor, TIOCGWINSZ, size.address(), 0, 0, 0);
            return result < 0 ? 0 : Short.toUnsignedInt(size.get(JAVA_SHORT, 2));
        }
    }
}
