package dev.eremite.cli.command;

import dev.eremite.cli.Version;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command without a verb: help and version. */
@Command(
        name = "eremite",
        description = "Records programs, replays them exactly, and debugs them backwards in time.",
        synopsisHeading = "Usage: ",
        synopsisSubcommandLabel = "VERB",
        commandListHeading = "%nVerbs:%n",
        versionProvider = EremiteCommand.VersionLine.class,
        footer = {
            "",
            "eremite help VERB, or eremite VERB -h, tells about a verb.",
            "",
            "Exit status: the guest's; 128+n if signal n ended it; 125 for a failure of",
            "Eremite's own, 126 for a program that cannot be executed, 127 for one that was",
            "not found, 124 after a time-out, 2 for a command line that is not understood.",
        })
public final class EremiteCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Print stack traces of failures.")
    private boolean debug;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Print this help.")
    @SuppressWarnings("UnusedVariable") // Picocli acts on it.
    private boolean help;

    @Option(names = "--version", versionHelp = true, description = "Print the version.")
    @SuppressWarnings("UnusedVariable") // Picocli acts on it.
    private boolean version;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a verb is missing");
    }

    /** Whether the user asked for stack traces. */
    public boolean debug() {
        return debug;
    }

    /** The root command of any command. */
    public static EremiteCommand of(CommandLine command) {
        return (EremiteCommand) command.getCommandSpec().root().userObject();
    }

    /** The line of {@code --version}. */
    static final class VersionLine implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"eremite " + Version.current()};
        }
    }
}
