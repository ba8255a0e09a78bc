package dev.eremite.replay.store;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** Which process has a file open below a folder; see proc(5), {@code /proc/PID/fd}. Other users' processes are not seen. */
final class OpenFiles {
    private static final Path PROCESSES = Path.of("/proc");

    private OpenFiles() {}

    /** A process that has a file below the folder open; none where no process of this user has. */
    static OptionalLong userOf(Path folder) {
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            Path real = folder.toRealPath();
            for (Path process : processes) {
                if (uses(process.resolve("fd"), real)) {
                    return OptionalLong.of(Long.parseLong(process.getFileName().toString()));
                }
            }
        } catch (IOException e) {
            // Without /proc, or without the folder, there is nothing to be seen.
        }
        return OptionalLong.empty();
    }

    private static boolean uses(Path descriptors, Path folder) {
        try (DirectoryStream<Path> links = Files.newDirectoryStream(descriptors)) {
            for (Path link : links) {
                if (leadsBelow(link, folder)) {
                    return true;
                }
            }
        } catch (IOException e) {
            // It has ended, or is another user's.
        }
        return false;
    }

    private static boolean leadsBelow(Path link, Path folder) {
        try {
            return Files.readSymbolicLink(link).startsWith(folder);
        } catch (IOException e) {
            // Closed meanwhile.
            return false;
        }
    }
}
