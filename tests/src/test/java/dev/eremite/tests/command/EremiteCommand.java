package dev.eremite.tests.command;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs the real launcher, {@code ./eremite}, with a data folder of its own. */
public final class EremiteCommand {
    private final Path data;
    private Path folder;
    private byte[] input = new byte[0];
    private Duration deadline = Duration.ofSeconds(60);

    /** Commands that keep their recordings in this folder. */
    public EremiteCommand(Path data) {
        this.data = data;
    }

    /** The data folder. */
    public Path data() {
        return data;
    }

    /** Sets the working folder of the following commands. */
    public EremiteCommand in(Path workingFolder) {
        this.folder = workingFolder;
        return this;
    }

    /** Sets the standard input of the following commands. */
    public EremiteCommand reading(byte[] bytes) {
        this.input = bytes.clone();
        return this;
    }

    /** Sets how long each of the following commands may take. */
    public EremiteCommand within(Duration limit) {
        this.deadline = limit;
        return this;
    }

    /** The command of these words after {@code eremite}, ready to be changed or run. */
    public Command command(List<String> words) {
        List<String> line = new ArrayList<>();
        line.add(launcher().toString());
        line.addAll(words);
        Command command = new Command(line)
                .with("EREMITE_DATA_DIR", data.toString())
                .reading(input)
                .within(deadline);
        return folder == null ? command : command.in(folder);
    }

    /** Runs {@code eremite WORDS}. */
    public CommandResult run(String... words) {
        return command(Arrays.asList(words)).run();
    }

    /** Runs {@code eremite record -q -- PROGRAM}. */
    public CommandResult record(List<String> program) {
        return recordCommand(program).run();
    }

    /** The command {@code eremite record -q -- PROGRAM}. */
    public Command recordCommand(List<String> program) {
        List<String> words = new ArrayList<>(List.of("record", "-q", "--"));
        words.addAll(program);
        return command(words);
    }

    /** Runs {@code eremite replay ID --autopilot -q}. */
    public CommandResult replay(String id) {
        return replayCommand(id).run();
    }

    /** The command {@code eremite replay ID --autopilot -q}, with empty standard input. */
    public Command replayCommand(String id) {
        return command(List.of("replay", id, "--autopilot", "-q")).reading(new byte[0]);
    }

    /** The launcher under test: {@code $EREMITE_LAUNCHER}, or the one of this source tree. */
    public static Path launcher() {
        String chosen = System.getenv("EREMITE_LAUNCHER");
        return chosen == null ? Checkout.root().resolve("eremite") : Path.of(chosen);
    }
}
