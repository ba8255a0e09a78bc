package dev.eremite.cli.command;

import dev.eremite.cli.engine.Engines;
import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code eremite replay}: replays a recording, headless or under a debugger. */
@Command(name = "replay", description = "Replay a recording: under gdb, or without one.")
public final class ReplayCommand implements Callable<Integer> {
    private static final String LATEST = "latest";
    private static final int DEFAULT_PORT = 1234;

    @Parameters(
            arity = "0..1",
            paramLabel = "ID",
            defaultValue = LATEST,
            description = "The recording: its id, the beginning of it, or latest (the default).")
    private String id;

    @ArgGroup
    private Mode mode = new Mode();

    @Option(
            names = "--gdbserver-port",
            paramLabel = "N",
            description = "The port of --gdbserver on 127.0.0.1, 0 for any free one (default: 1234).")
    private int port = DEFAULT_PORT;

    @Option(names = "--gdb", paramLabel = "PATH", description = "The gdb to start (default: gdb from PATH).")
    private String gdb = "gdb";

    @Option(
            names = {"-q", "--quiet"},
            description = "Say nothing of Eremite's own.")
    private boolean quiet;

    @Mixin
    private DataDirectoryOption dataDirectory;

    /** What to do with the replay: one of these, or gdb. */
    private static final class Mode {
        @Option(names = "--autopilot", description = "No debugger: print what the program printed, end as it ended.")
        private boolean autopilot;

        @Option(names = "--gdbserver", description = "Wait for a debugger to connect; serve until interrupted.")
        private boolean gdbserver;
    }

    @Override
    public Integer call() {
        if (mode.autopilot) {
            return Engines.engine().replay(dataDirectory.path(), id, false).status();
        }
        throw new UsageException(
                ErrorCode.NOT_IN_THIS_BUILD,
                mode.gdbserver
                        ? "this build cannot serve port " + port + " to debuggers yet"
                        : "this build cannot replay under " + gdb + " yet",
                "replay with --autopilot",
                null);
    }
}
