package dev.eremite.tests.command;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where this source tree is. */
public final class Checkout {
    private static final Path ROOT = find();

    private Checkout() {}

    /** The root folder of the source tree. */
    public static Path root() {
        return ROOT;
    }

    /** The folder of the guests' sources. */
    public static Path guests() {
        return ROOT.resolve("tests/guests");
    }

    /** A folder below the test module's build output, created when missing. */
    public static Path output(String name) {
        return create(ROOT.resolve("tests/target").resolve(name));
    }

    private static Path create(Path folder) {
        try {
            return Files.createDirectories(folder);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Path find() {
        Path start = Path.of("").toAbsolutePath();
        for (Path folder = start; folder != null; folder = folder.getParent()) {
            if (Files.isRegularFile(folder.resolve("tests/guests.tsv"))) {
                return folder;
            }
        }
        throw new IllegalStateException("no tests/guests.tsv in " + start + " or above it");
    }
}
