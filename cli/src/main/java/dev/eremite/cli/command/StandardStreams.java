package dev.eremite.cli.command;

import dev.eremite.tracer.linux.TerminalSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where this process's standard streams lead; see proc(5), {@code /proc/self/fd}. */
final class StandardStreams {
    private StandardStreams() {}

    /** Whether stderr is a terminal: a script that compares outputs wants nothing of Eremite's own in them. */
    static boolean errorsAreSeen() {
        return isTerminal(2);
    }

    /** Whether stdout is a terminal. */
    static boolean outputIsSeen() {
        return isTerminal(1);
    }

    /** How many columns the terminal at stdout has; a huge number where it is none, or tells nothing. */
    static int outputColumns() {
        int columns = isTerminal(1) ? TerminalSize.columns(1) : 0;
        return columns > 0 ? columns : Integer.MAX_VALUE;
    }

    private static boolean isTerminal(int descriptor) {
        String target = target(descriptor);
        return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
    }

    /** Whether there is anybody, or any script, to type commands. */
    static boolean inputIsEmpty() {
        return target(0).equals("/dev/null") || target(0).isEmpty();
    }

    private static String target(int descriptor) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
        } catch (IOException e) {
            return ""; // closed
        }
    }
}
