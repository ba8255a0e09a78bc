package dev.eremite.cli.command;

import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;
import dev.eremite.replay.store.DataDirectory;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;

/** Where recordings lie. */
final class DataDirectoryOption {
    private final Setting<Path> option;

    /** Adds the option to a command. */
    DataDirectoryOption(CommandSpec spec) {
        option = Syntax.option(
                spec,
                Path.class,
                "DIR",
                "Where recordings lie; else $EREMITE_DATA_DIR, else eremite in $XDG_DATA_HOME.",
                "--data-dir");
    }

    /** The folder of the option, of the environment, or the usual one. */
    DataDirectory directory() {
        Path directory = option.get();
        if (directory != null && directory.toString().isEmpty()) {
            throw new UsageException(ErrorCode.USAGE, "--data-dir needs a folder");
        }
        return DataDirectory.locate(directory, System.getenv());
    }
}
