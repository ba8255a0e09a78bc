package dev.eremite.cli.command;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/** {@code eremite record}: records a program; its own verbs look after the recordings. */
public final class RecordCommand implements Verb {
    private final CommandSpec spec = Syntax.command(this, "record", "Record a program, or look after recordings.");

    /** The verbs of this verb, in the order of the help page. */
    public static final Map<String, Supplier<Verb>> VERBS = verbs();

    private final RecordRun recording = new RecordRun(spec);

    /** A recording; a verb is called once. */
    public RecordCommand() {
        spec.usageMessage()
                .customSynopsis(
                        "eremite record [start] [OPTIONS] -- PROG [ARGS]",
                        "       eremite record list|show|dump|clean|rm ...")
                .commandListHeading("%nVerbs:%n");
    }

    @Override
    public CommandSpec spec() {
        return spec;
    }

    @Override
    public Integer call() {
        return recording.run();
    }

    private static Map<String, Supplier<Verb>> verbs() {
        Map<String, Supplier<Verb>> verbs = new LinkedHashMap<>();
        verbs.put("start", RecordStartCommand::new);
        verbs.put("list", RecordListCommand::new);
        verbs.put("show", RecordShowCommand::new);
        verbs.put("dump", RecordDumpCommand::new);
        verbs.put("clean", RecordCleanCommand::new);
        verbs.put("rm", RecordRemoveCommand::new);
        return verbs;
    }
}
