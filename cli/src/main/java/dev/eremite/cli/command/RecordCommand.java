package dev.eremite.cli.command;

import java.util.LinkedHashMap;
import java.util.Map;
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
        commandListHeading = "%nVerbs:%n")
public final class RecordCommand implements Callable<Integer> {
    /** The verbs of this verb, in the order of the help page. */
    public static final Map<String, Class<?>> VERBS = verbs();

    @Mixin
    private RecordRun recording;

    @Override
    public Integer call() {
        return recording.run();
    }

    private static Map<String, Class<?>> verbs() {
        Map<String, Class<?>> verbs = new LinkedHashMap<>();
        verbs.put("start", RecordStartCommand.class);
        verbs.put("list", RecordListCommand.class);
        verbs.put("show", RecordShowCommand.class);
        verbs.put("dump", RecordDumpCommand.class);
        verbs.put("clean", RecordCleanCommand.class);
        verbs.put("rm", RecordRemoveCommand.class);
        return verbs;
    }
}
