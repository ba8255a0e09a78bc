package dev.eremite.cli.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where this process's standard streams lead; see proc(5), {@code /proc/self/fd}. */
final class StandardStreams {
    private StandardStreams() {}

    /** Whether stderr is a terminal: a script that compares outputs wants nothing of Eremite's own in them. */
    static boolean errorsAreSeen() {
        String target = target(2);
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
