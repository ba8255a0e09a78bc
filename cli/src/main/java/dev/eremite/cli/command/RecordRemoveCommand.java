package dev.eremite.cli.command;

import dev.eremite.replay.store.DataDirectory;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** {@code eremite record rm}: removes recordings. */
public final class RecordRemoveCommand implements Verb {
    private final CommandSpec spec = Syntax.command(this, "rm", "Remove recordings.");
    private final Setting<List<String>> ids = Syntax.parameters(spec, "1..*", "ID", false, "The recordings.");
    private final Setting<Boolean> quiet = Syntax.flag(spec, "Do not print what was removed.", "-q", "--quiet");
    private final DataDirectoryOption dataDirectory = new DataDirectoryOption(spec);

    @Override
    public CommandSpec spec() {
        return spec;
    }

    /** Removes one after another and stops at the first that cannot be removed. */
    @Override
    public Integer call() {
        DataDirectory directory = dataDirectory.directory();
        for (String id : ids.get()) {
            String removed = directory.remove(id);
            if (!quiet.get()) {
                spec.commandLine().getErr().println("eremite: removed " + removed);
                spec.commandLine().getErr().flush();
            }
        }
        return 0;
    }
}
