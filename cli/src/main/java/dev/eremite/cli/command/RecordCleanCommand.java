package dev.eremite.cli.command;

import dev.eremite.replay.log.LogException;
import dev.eremite.replay.store.DataDirectory;
import dev.eremite.replay.store.RecordingInfo;
import dev.eremite.replay.store.RecordingSummary;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** {@code eremite record clean}: removes the recordings that a rule names. */
public final class RecordCleanCommand implements Verb {
    private static final double SECONDS_PER_DAY = 86_400;

    /** A folder without metadata may be a recording that begins just now. */
    private static final Duration BEGINNING = Duration.ofMinutes(1);

    private final CommandSpec spec = Syntax.command(
            this,
            "clean",
            "Remove old recordings, incomplete ones, or all.",
            "A recording goes if one of the rules names it; --keep alone names all. The",
            "latest N of --keep stay whatever the rules say, and so does one that is in use.");

    private final Setting<Double> days =
            Syntax.option(spec, Double.class, "DAYS", "Those that were begun longer ago.", "--older-than");
    private final Setting<Boolean> incomplete =
            Syntax.flag(spec, "Those that were cut short or are damaged.", "--incomplete");
    private final Setting<Boolean> all = Syntax.flag(spec, "All.", "--all");
    private final Setting<Integer> keep = Syntax.option(spec, Integer.class, "N", "Keep the latest N.", "--keep");
    private final Setting<Boolean> dryRun =
            Syntax.flag(spec, "Remove nothing; print what would go.", "-n", "--dry-run");

    private final Setting<Boolean> quiet = Syntax.flag(spec, "Do not print what was removed.", "-q", "--quiet");
    private final DataDirectoryOption dataDirectory = new DataDirectoryOption(spec);

    @Override
    public CommandSpec spec() {
        return spec;
    }

    @Override
    public Integer call() {
        check();
        DataDirectory directory = dataDirectory.directory();
        List<RecordingSummary> recordings = directory.recordings();
        int candidates = Math.max(0, recordings.size() - (keep.get() == null ? 0 : keep.get()));
        for (RecordingSummary recording : recordings.subList(0, candidates)) {
            if (isNamed(recording)) {
                remove(directory, recording);
            }
        }
        return 0;
    }

    private void check() {
        if (days.get() != null && !(days.get() >= 0 && days.get() < Integer.MAX_VALUE)) {
            throw new ParameterException(spec.commandLine(), "--older-than needs a number of days");
        }
        if (keep.get() != null && keep.get() < 0) {
            throw new ParameterException(spec.commandLine(), "--keep needs a number of recordings");
        }
        if (days.get() == null && keep.get() == null && !all.get() && !incomplete.get()) {
            throw new ParameterException(
                    spec.commandLine(), "say what is to go: --older-than, --keep, --incomplete or --all");
        }
    }

    private boolean isNamed(RecordingSummary recording) {
        boolean keepAlone = keep.get() != null && days.get() == null && !incomplete.get();
        if (isBeginning(recording)) {
            return false;
        }
        return all.get()
                || keepAlone
                || incomplete.get() && isIncomplete(recording)
                || days.get() != null && isOld(recording);
    }

    private static boolean isBeginning(RecordingSummary recording) {
        return recording.info() == null
                && changed(recording).isAfter(Instant.now().minus(BEGINNING));
    }

    private static boolean isIncomplete(RecordingSummary recording) {
        return recording.info() == null
                || recording.info().state() != RecordingInfo.State.COMPLETE
                        && !recording.info().beingWritten();
    }

    private boolean isOld(RecordingSummary recording) {
        Instant created =
                recording.info() == null ? changed(recording) : recording.info().created();
        return created.isBefore(Instant.now().minusSeconds((long) (days.get() * SECONDS_PER_DAY)));
    }

    private static Instant changed(RecordingSummary recording) {
        try {
            return Files.getLastModifiedTime(recording.directory()).toInstant();
        } catch (IOException e) {
            throw LogException.ofIo("cannot look at " + recording.directory(), e);
        }
    }

    private void remove(DataDirectory directory, RecordingSummary recording) {
        try {
            if (dryRun.get()) {
                directory.checkUnused(recording.directory());
                PrintWriter out = spec.commandLine().getOut();
                out.println("would remove " + recording.id() + " (" + recording.state() + ")");
                out.flush();
                return;
            }
            directory.remove(recording.directory().toString());
            say("removed " + recording.id());
        } catch (LogException e) {
            // Used now, or removed by somebody else meanwhile: neither is a failure of cleaning.
            switch (e.code()) {
                case BUSY -> say("kept " + e.getMessage());
                case NOT_FOUND -> say(recording.id() + " is gone already");
                default -> throw e;
            }
        }
    }

    private void say(String words) {
        if (!quiet.get()) {
            spec.commandLine().getErr().println("eremite: " + words);
            spec.commandLine().getErr().flush();
        }
    }
}
