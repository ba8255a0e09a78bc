package dev.eremite.cli.command;

import dev.eremite.cli.Version;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/** The command without a verb: help and version. */
public final class EremiteCommand implements Runnable {
    private static final String[] FOOTER = {
        "",
        "eremite help VERB, or eremite VERB -h, tells about a verb.",
        "",
        "Exit status: the guest's; 128+n if signal n ended it; 125 for a failure of",
        "Eremite's own, 126 for a program that cannot be executed, 127 for one that was",
        "not found, 124 after a time-out, 2 for a command line that is not understood.",
    };

    private final CommandSpec spec = Syntax.command(
            this, "eremite", "Records programs, replays them exactly, and debugs them backwards in time.");
    private final OptionSpec debug;

    /** The command with its options, and without verbs. */
    public EremiteCommand() {
        debug = OptionSpec.builder(Syntax.flag("Print stack traces of failures.", "--debug"))
                .scopeType(ScopeType.INHERIT)
                .build();
        spec.addOption(debug);
        spec.addOption(OptionSpec.builder(Syntax.flag("Print this help.", "-h", "--help"))
                .usageHelp(true)
                .scopeType(ScopeType.INHERIT)
                .build());
        spec.addOption(OptionSpec.builder(Syntax.flag("Print the version.", "--version"))
                .versionHelp(true)
                .build());
        spec.versionProvider(() -> new String[] {"eremite " + Version.current()});
        spec.usageMessage()
                .synopsisHeading("Usage: ")
                .synopsisSubcommandLabel("VERB")
                .commandListHeading("%nVerbs:%n")
                .footer(FOOTER);
    }

    /** Its options, to which verbs can be added. */
    public CommandSpec spec() {
        return spec;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a verb is missing");
    }

    /** Whether the user asked for stack traces. */
    public boolean debug() {
        return Boolean.TRUE.equals(debug.getValue());
    }

    /** The root command of any command. */
    public static EremiteCommand of(CommandLine command) {
        return (EremiteCommand) command.getCommandSpec().root().userObject();
    }
}
