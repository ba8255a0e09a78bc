package dev.eremite.tests.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Records a program, replays it and compares standard output, standard error and status. A failure keeps the recording
 * and prints the commands that show it again; a success deletes it.
 */
public final class RecordReplay {
    private final String name;
    private Duration deadline = Duration.ofSeconds(60);
    private byte[] input = new byte[0];
    private Path folder;
    private int replays = 1;
    private double timesSlower = Double.POSITIVE_INFINITY;

    /**
     * What came of it.
     *
     * @param slow how many replays were too slow at first ({@link #noSlowerThan})
     */
    public record Outcome(CommandResult recorded, CommandResult replayed, int slow) {
        /** The replay's time against the recording's. */
        public double ratio() {
            return (double) replayed.elapsed().toMillis() / recorded.elapsed().toMillis();
        }
    }

    /** A check with this name, which names its data folder too. */
    public RecordReplay(String name) {
        this.name = name;
    }

    /** Sets how long the recording, and each replay, may take. */
    public RecordReplay within(Duration limit) {
        this.deadline = limit;
        return this;
    }

    /** Sets what the recorded program reads. */
    public RecordReplay reading(byte[] bytes) {
        this.input = bytes.clone();
        return this;
    }

    /** Sets the recorded program's folder. */
    public RecordReplay in(Path workingFolder) {
        this.folder = workingFolder;
        return this;
    }

    /** Sets how often to replay. */
    public RecordReplay replays(int count) {
        this.replays = count;
        return this;
    }

    /**
     * Sets how many times longer than the recording a replay may take. One that takes longer is tried once more: a
     * neighbour of this machine may have taken the time of the first, but a recording that is slow to replay is slow again.
     */
    public RecordReplay noSlowerThan(double times) {
        this.timesSlower = times;
        return this;
    }

    /**
     * Records and replays.
     *
     * @param program the program and its arguments
     * @throws AssertionError when a replay differs, or either takes too long; the message has the reproducing commands
     */
    public Outcome check(List<String> program) {
        Path data = newDataFolder(name);
        EremiteCommand eremite = new EremiteCommand(data).within(deadline).reading(input);
        if (folder != null) {
            eremite.in(folder);
        }
        try {
            CommandResult recorded = eremite.record(program);
            Outcome outcome = new Outcome(recorded, recorded, 0);
            for (int i = 0; i < replays; i++) {
                outcome = new Outcome(recorded, replay(eremite, recorded, i + 1), outcome.slow());
                if (outcome.ratio() > timesSlower) {
                    double first = outcome.ratio();
                    outcome = new Outcome(recorded, replay(eremite, recorded, i + 1), outcome.slow() + 1);
                    System.out.printf(
                            "%s: a replay took %.1f times as long as the recording, then %.1f%n",
                            name, first, outcome.ratio());
                    if (outcome.ratio() > timesSlower) {
                        throw new AssertionError("replay " + (i + 1) + " takes " + first + " and again "
                                + outcome.ratio() + " times as long as the recording");
                    }
                }
            }
            Folders.delete(data);
            return outcome;
        } catch (AssertionError e) {
            throw new AssertionError(
                    e.getMessage() + "\nThe recording is kept. Again:\n  cd " + workingFolder() + "\n  "
                            + eremite.recordCommand(program).line() + "\n  "
                            + eremite.replayCommand("latest").line(),
                    e);
        }
    }

    private static CommandResult replay(EremiteCommand eremite, CommandResult recorded, int number) {
        CommandResult replayed = eremite.replay("latest");
        String difference = recorded.differenceTo(replayed);
        if (!difference.isEmpty()) {
            throw new AssertionError("replay " + number + " differs: " + difference);
        }
        return replayed;
    }

    private Path workingFolder() {
        return folder == null ? Path.of("").toAbsolutePath() : folder;
    }

    /** A new data folder in the build output; the caller deletes it when nothing failed. */
    public static Path newDataFolder(String name) {
        try {
            return Files.createTempDirectory(Checkout.output("recordings"), name.replaceAll("[^\\w.-]", "_") + "-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
