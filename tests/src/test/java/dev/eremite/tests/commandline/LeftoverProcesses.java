package dev.eremite.tests.commandline;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Processes that a command with a certain data folder left behind. */
final class LeftoverProcesses {
    private LeftoverProcesses() {}

    /** Those that are still there after a moment; guests inherit the variable that names the data folder. */
    static List<String> of(Path data) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
        List<String> left = now(data);
        while (!left.isEmpty() && System.nanoTime() < end) {
            Thread.onSpinWait();
            left = now(data);
        }
        return left;
    }

    private static List<String> now(Path data) throws IOException {
        List<String> left = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                if (read(process.resolve("environ")).contains("EREMITE_DATA_DIR=" + data + "\0")) {
                    left.add(process.getFileName() + " "
                            + read(process.resolve("cmdline")).replace('\0', ' '));
                }
            }
        }
        return left;
    }

    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            // It has ended meanwhile, or is another user's.
            return "";
        }
    }
}
