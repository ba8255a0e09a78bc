package dev.eremite.cli.command;

import dev.eremite.replay.store.DataDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code eremite record rm}: removes recordings. */
@Command(name = "rm", description = "Remove recordings.")
public final class RecordRemoveCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "ID", description = "The recordings.")
    private List<String> ids = new ArrayList<>();

    @Option(
            names = {"-q", "--quiet"},
            description = "Do not print what was removed.")
    private boolean quiet;

    @Mixin
    private DataDirectoryOption dataDirectory;

    @Spec
    private CommandSpec spec;

    /** Removes one after another and stops at the first that cannot be removed. */
    @Override
    public Integer call() {
        DataDirectory directory = dataDirectory.directory();
        for (String id : ids) {
            String removed = directory.remove(id);
            if (!quiet) {
                spec.commandLine().getErr().println("eremite: removed " + removed);
                spec.commandLine().getErr().flush();
            }
        }
        return 0;
    }
}
