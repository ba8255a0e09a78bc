package dev.eremite.cli.command;

import picocli.CommandLine.Model.CommandSpec;

/** {@code eremite record start}: the same as {@code eremite record}, spelled out. */
public final class RecordStartCommand implements Verb {
    private final CommandSpec spec = Syntax.command(this, "start", "Record a program.");
    private final RecordRun recording = new RecordRun(spec);

    @Override
    public CommandSpec spec() {
        return spec;
    }

    @Override
    public Integer call() {
        return recording.run();
    }
}
