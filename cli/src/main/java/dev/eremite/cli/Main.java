package dev.eremite.cli;

import dev.eremite.cli.command.AotTrainingCommand;
import dev.eremite.cli.command.DoctorCommand;
import dev.eremite.cli.command.EremiteCommand;
import dev.eremite.cli.command.GdbInitCommand;
import dev.eremite.cli.command.RecordCommand;
import dev.eremite.cli.command.ReplayCommand;
import dev.eremite.cli.command.StraceCommand;
import dev.eremite.cli.guest.RawArguments;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** The {@code eremite} command. */
public final class Main {
    private static final Map<String, Class<?>> VERBS = verbs();

    private Main() {}

    // In the order of the help page.
    private static Map<String, Class<?>> verbs() {
        Map<String, Class<?>> verbs = new LinkedHashMap<>();
        verbs.put("record", RecordCommand.class);
        verbs.put("replay", ReplayCommand.class);
        verbs.put("strace", StraceCommand.class);
        verbs.put("gdbinit", GdbInitCommand.class);
        verbs.put("doctor", DoctorCommand.class);
        verbs.put("aot-training", AotTrainingCommand.class);
        return verbs;
    }

    /** Runs the command line and ends the JVM with its status. */
    public static void main(String[] args) {
        RawArguments.remember(args.length);
        int status;
        try {
            status = run(args);
        } catch (Throwable e) {
            // Out of memory, of files: what no command expects, and picocli does not catch.
            status = Failures.unexpected(e, args);
        }
        System.out.flush();
        System.err.flush();
        // Not System.exit: there is nothing to shut down that a command has not closed, and halting is faster. The
        // training run alone must end in order, because the AOT cache is written then.
        if (Boolean.getBoolean("eremite.training")) {
            System.exit(status);
        }
        Runtime.getRuntime().halt(status);
    }

    private static int run(String[] args) {
        String[] words = HelpWord.asOption(args, VERBS.keySet());
        StandardOutput out = new StandardOutput();
        CommandLine line = commandLine(words).setOut(out.writer());
        int status = line.execute(words);
        out.writer().flush();
        // Who cannot read what was asked for must not take it for nothing.
        return status == 0 && out.failure() != null ? Failures.output(out.failure(), line) : status;
    }

    /**
     * The command line. picocli reads every registered verb's annotations by reflection, a large part of a short
     * command's time: where the arguments name a verb, that one alone is registered.
     */
    public static CommandLine commandLine(String... args) {
        CommandLine line = new CommandLine(new EremiteCommand());
        Class<?> wanted = args.length == 0 ? null : VERBS.get(args[0]);
        if (wanted == RecordCommand.class) {
            CommandLine record = new CommandLine(wanted);
            add(record, RecordCommand.VERBS, args.length == 1 ? null : args[1], !namesProgramAlone(args));
            line.addSubcommand(args[0], record);
        } else {
            add(line, VERBS, wanted == null ? null : args[0], true);
        }
        return line.setExpandAtFiles(false)
                .setPosixClusteredShortOptionsAllowed(false)
                .setTrimQuotes(false)
                .setParameterExceptionHandler(Failures::usage)
                .setExecutionExceptionHandler(Failures::execution);
    }

    private static void add(CommandLine line, Map<String, Class<?>> verbs, String name, boolean allOthers) {
        Class<?> verb = name == null ? null : verbs.get(name);
        if (verb != null) {
            line.addSubcommand(name, verb);
        } else if (allOthers) {
            verbs.forEach(line::addSubcommand);
        }
    }

    /** Whether all that is to be recorded stands behind dashes, and nothing before them asks for help. */
    private static boolean namesProgramAlone(String[] args) {
        List<String> words = Arrays.asList(args);
        int dashes = words.indexOf("--");
        return dashes >= 0
                && words.subList(0, dashes).stream().noneMatch(word -> word.equals("-h") || word.equals("--help"));
    }
}
