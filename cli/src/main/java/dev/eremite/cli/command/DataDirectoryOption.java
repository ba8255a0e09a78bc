package dev.eremite.cli.command;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where recordings lie. */
final class DataDirectoryOption {
    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "Where recordings lie; else $EREMITE_DATA_DIR, else eremite in $XDG_DATA_HOME.")
    private Path directory;

    /** The option's folder, {@code $EREMITE_DATA_DIR}, or the place of the XDG base directory specification. */
    Path path() {
        if (directory != null) {
            return directory.toAbsolutePath().normalize();
        }
        String own = System.getenv("EREMITE_DATA_DIR");
        if (own != null && !own.isEmpty()) {
            return Path.of(own).toAbsolutePath().normalize();
        }
        String base = System.getenv("XDG_DATA_HOME");
        // The specification says: relative paths are invalid and must be ignored.
        return base != null && base.startsWith("/")
                ? Path.of(base, "eremite")
                : Path.of(System.getProperty("user.home"), ".local", "share", "eremite");
    }
}
