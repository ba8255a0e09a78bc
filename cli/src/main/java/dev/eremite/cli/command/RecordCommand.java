package dev.eremite.cli.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code eremite record}: records a program; its own verbs look after the recordings. */
@Command(
        name = "record",
        description = "Record a program, or look after recordings.",
        customSynopsis = {
            "eremite record [start] [OPTIONS] -- PROG [ARGS]",
            "       eremite record list|show|dump|clean|rm ...",
        },
        commandListHeading = "%nVerbs:%n",
        subcommands = {
            RecordStartCommand.class,
            RecordListCommand.class,
            RecordShowCommand.class,
            RecordDumpCommand.class,
            RecordCleanCommand.class,
            RecordRemoveCommand.class
        })
public final class RecordCommand implements Callable<Integer> {
    @Mixin
    private RecordRun recording;

    @Override
    public Integer call() {
        return recording.run();
    }
}
