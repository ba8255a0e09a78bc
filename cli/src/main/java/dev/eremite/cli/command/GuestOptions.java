package dev.eremite.cli.command;

import dev.eremite.cli.engine.GuestProgram;
import dev.eremite.cli.guest.GuestEnvironment;
import dev.eremite.cli.guest.ProgramLookup;
import dev.eremite.cli.guest.RawArguments;
import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The program to run and its surroundings. */
final class GuestOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = {"-e", "--env"},
            paramLabel = "NAME[=VALUE]",
            description = "Set a variable of the program's environment, or take it out. Can be repeated.")
    private List<String> environment = new ArrayList<>();

    @Option(names = "--workdir", paramLabel = "DIR", description = "The program's working directory.")
    private Path workdir;

    @Parameters(
            arity = "0..*",
            paramLabel = "PROG [ARGS]",
            hideParamSyntax = true,
            description = "The program, after --, and its arguments.")
    private List<String> command = new ArrayList<>();

    /** The first word of the program's command line; empty if there is none. */
    String name() {
        return command.isEmpty() ? "" : command.getFirst();
    }

    /**
     * The program as the engine takes it.
     *
     * @throws UsageException E100 if none was given, E101…E105 if it cannot be run
     */
    GuestProgram program() {
        // Not picocli's to check: it would want a program of "record" where "record list" is meant.
        if (command.isEmpty()) {
            throw new UsageException(ErrorCode.USAGE, "a program is missing: give it after --");
        }
        // Picocli takes the first -- for itself, so that a program before it would lose it.
        List<String> words = spec.commandLine().getParseResult().originalArgs();
        int dashes = words.indexOf("--");
        if (dashes >= 0 && words.size() - dashes - 1 != command.size()) {
            throw new UsageException(ErrorCode.USAGE, "\"" + name() + "\" stands before --: the program goes after it");
        }
        Path folder = (workdir == null ? Path.of("") : workdir).toAbsolutePath().normalize();
        if (!Files.isDirectory(folder) || !Files.isExecutable(folder)) {
            throw new UsageException(ErrorCode.WORKDIR, "cannot work in " + folder);
        }
        GuestEnvironment callers = callersEnvironment(command.getFirst());
        environment.forEach(callers::change);
        String path = new ProgramLookup(folder, callers.get("PATH")).find(command.getFirst());
        GuestEnvironment guests = callersEnvironment(path);
        environment.forEach(guests::change);
        return new GuestProgram(path, RawArguments.last(command), guests.bytes(), callersDescriptors(), folder);
    }

    /** What the launcher found open before there was a JVM; without a launcher, the standard streams. */
    private static SortedSet<Integer> callersDescriptors() {
        return Arrays.stream(System.getProperty("eremite.descriptors", "0,1,2").split(","))
                .filter(number -> !number.isEmpty())
                .map(Integer::valueOf)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static GuestEnvironment callersEnvironment(String program) {
        return GuestEnvironment.ofCaller(RawArguments.environment(), program, GuestEnvironment.callersNames());
    }
}
