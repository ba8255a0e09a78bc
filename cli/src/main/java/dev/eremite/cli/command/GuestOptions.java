package dev.eremite.cli.command;

import dev.eremite.cli.engine.GuestProgram;
import dev.eremite.cli.guest.GuestEnvironment;
import dev.eremite.cli.guest.ProgramLookup;
import dev.eremite.cli.guest.RawArguments;
import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;

/** The program to run and its surroundings. */
final class GuestOptions {
    private final CommandSpec spec;
    private final Setting<List<String>> environment;
    private final Setting<Path> workdir;
    private final Setting<List<String>> command;

    /** Adds them to a command. */
    GuestOptions(CommandSpec spec) {
        this.spec = spec;
        environment = Syntax.options(
                spec,
                "NAME[=VALUE]",
                "Set a variable of the program's environment, or take it out. Can be repeated.",
                "-e",
                "--env");
        workdir = Syntax.option(spec, Path.class, "DIR", "The program's working directory.", "--workdir");
        command = Syntax.parameters(spec, "0..*", "PROG [ARGS]", true, "The program, after --, and its arguments.");
    }

    /** The first word of the program's command line; empty if there is none. */
    String name() {
        return command.get().isEmpty() ? "" : command.get().getFirst();
    }

    /**
     * The program as the engine takes it.
     *
     * @throws UsageException E100 if none was given, E101…E105 if it cannot be run
     */
    GuestProgram program() {
        // Not picocli's to check: it would want a program of "record" where "record list" is meant.
        if (command.get().isEmpty()) {
            throw new UsageException(ErrorCode.USAGE, "a program is missing: give it after --");
        }
        // Picocli takes the first -- for itself, so that a program before it would lose it.
        List<String> words = spec.commandLine().getParseResult().originalArgs();
        int dashes = words.indexOf("--");
        if (dashes >= 0 && words.size() - dashes - 1 != command.get().size()) {
            throw new UsageException(ErrorCode.USAGE, "\"" + name() + "\" stands before --: the program goes after it");
        }
        Path folder = (workdir.get() == null ? Path.of("") : workdir.get())
                .toAbsolutePath()
                .normalize();
        if (!Files.isDirectory(folder) || !Files.isExecutable(folder)) {
            throw new UsageException(ErrorCode.WORKDIR, "cannot work in " + folder);
        }
        GuestEnvironment callers = callersEnvironment(command.get().getFirst());
        environment.get().forEach(callers::change);
        String path = new ProgramLookup(folder, callers.get("PATH"))
                .find(command.get().getFirst());
        GuestEnvironment guests = callersEnvironment(path);
        environment.get().forEach(guests::change);
        return new GuestProgram(path, RawArguments.last(command.get()), guests.bytes(), callersDescriptors(), folder);
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
