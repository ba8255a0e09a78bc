package dev.eremite.cli.command;

import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;
import dev.eremite.replay.store.DataDirectory;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where recordings lie. */
final class DataDirectoryOption {
    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "Where recordings lie; else $EREMITE_DATA_DIR, else eremite in $XDG_DATA_HOME.")
    private Path directory;

    /** The folder of the option, of the environment, or the usual one. */
    DataDirectory directory() {
        if (directory != null && directory.toString().isEmpty()) {
            throw new UsageException(ErrorCode.USAGE, "--data-dir needs a folder");
        }
        return DataDirectory.locate(directory, System.getenv());
    }
}
