package dev.eremite.cli;

import dev.eremite.cli.command.AotTrainingCommand;
import dev.eremite.cli.command.DapCommand;
import dev.eremite.cli.command.DoctorCommand;
import dev.eremite.cli.command.EremiteCommand;
import dev.eremite.cli.command.GdbInitCommand;
import dev.eremite.cli.command.RecordCommand;
import dev.eremite.cli.command.ReplayCommand;
import dev.eremite.cli.command.StraceCommand;
import dev.eremite.cli.command.Verb;
import dev.eremite.cli.engine.Engines;
import dev.eremite.cli.guest.RawArguments;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;

/** The {@code eremite} command. */
public final class Main {
    private static final String RECORD = "record";
    private static final Set<String> ENGINE_VERBS = Set.of(RECORD, "replay", "strace");
    private static final Map<String, Supplier<Verb>> VERBS = verbs();

    private Main() {}

    // In the order of the help page.
    private static Map<String, Supplier<Verb>> verbs() {
        Map<String, Supplier<Verb>> verbs = new LinkedHashMap<>();
        verbs.put(RECORD, RecordCommand::new);
        verbs.put("replay", ReplayCommand::new);
        verbs.put("dap", DapCommand::new);
        verbs.put("strace", StraceCommand::new);
        verbs.put("gdbinit", GdbInitCommand::new);
        verbs.put("doctor", DoctorCommand::new);
        verbs.put("aot-training", AotTrainingCommand::new);
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
        if (args.length > 1 && ENGINE_VERBS.contains(args[0])) {
            Engines.prepare();
        }
        String[] words = HelpWord.asOption(args, VERBS.keySet());
        StandardOutput out = new StandardOutput();
        CommandLine line = commandLine(words).setOut(out.writer());
        int status = line.execute(words);
        out.writer().flush();
        // Who cannot read what was asked for must not take it for nothing.
        return status == 0 && out.failure() != null ? Failures.output(out.failure(), line) : status;
    }

    /** The command line. Where the arguments name a verb, that one alone is built. */
    public static CommandLine commandLine(String... args) {
        CommandLine line = new CommandLine(new EremiteCommand().spec());
        String name = args.length == 0 ? "" : args[0];
        if (name.equals(RECORD)) {
            CommandLine record = new CommandLine(new RecordCommand().spec());
            add(record, RecordCommand.VERBS, args.length == 1 ? "" : args[1], !namesProgramAlone(args));
            line.addSubcommand(name, record);
        } else {
            add(line, VERBS, name, true);
        }
        return line.setExpandAtFiles(false)
                .setPosixClusteredShortOptionsAllowed(false)
                .setTrimQuotes(false)
                .setParameterExceptionHandler(Failures::usage)
                .setExecutionExceptionHandler(Failures::execution);
    }

    private static void add(CommandLine line, Map<String, Supplier<Verb>> verbs, String name, boolean allOthers) {
        Supplier<Verb> verb = verbs.get(name);
        if (verb != null) {
            line.addSubcommand(name, new CommandLine(verb.get().spec()));
        } else if (allOthers) {
            verbs.forEach((each, other) ->
                    line.addSubcommand(each, new CommandLine(other.get().spec())));
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
