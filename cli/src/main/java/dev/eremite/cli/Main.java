package dev.eremite.cli;

import dev.eremite.cli.command.EremiteCommand;
import dev.eremite.cli.guest.RawArguments;
import picocli.CommandLine;

/** The {@code eremite} command. */
public final class Main {
    private Main() {}

    /** Runs the command line and ends the JVM with its status. */
    public static void main(String[] args) {
        RawArguments.remember(args.length);
        int status = commandLine().execute(args);
        System.out.flush();
        System.err.flush();
        // Not System.exit: there is nothing to shut down that a command has not closed, and halting is faster. The
        // training run alone must end in order, because the AOT cache is written then.
        if (Boolean.getBoolean("eremite.training")) {
            System.exit(status);
        }
        Runtime.getRuntime().halt(status);
    }

    /** The whole command line, as tests use it too. */
    public static CommandLine commandLine() {
        return new CommandLine(new EremiteCommand())
                .setExpandAtFiles(false)
                .setPosixClusteredShortOptionsAllowed(false)
                .setTrimQuotes(false)
                .setParameterExceptionHandler(Failures::usage)
                .setExecutionExceptionHandler(Failures::execution);
    }
}
