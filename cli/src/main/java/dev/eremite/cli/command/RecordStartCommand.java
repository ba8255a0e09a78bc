package dev.eremite.cli.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code eremite record start}: the same as {@code eremite record}, spelled out. */
@Command(name = "start", description = "Record a program.")
public final class RecordStartCommand implements Callable<Integer> {
    @Mixin
    private RecordRun recording;

    @Override
    public Integer call() {
        return recording.run();
    }
}
