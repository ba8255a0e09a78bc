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
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code eremite record clean}: removes the recordings that a rule names. */
@Command(
        name = "clean",
        description = {
            "Remove old recordings, incomplete ones, or all.",
            "A recording goes if one of the rules names it; --keep alone names all. The",
            "latest N of --keep stay whatever the rules say, and so does one that is in use.",
        })
public final class RecordCleanCommand implements Callable<Integer> {
    private static final double SECONDS_PER_DAY = 86_400;

    /** A folder without metadata may be a recording that begins just now. */
    private static final Duration BEGINNING = Duration.ofMinutes(1);

    @Option(names = "--older-than", paramLabel = "DAYS", description = "Those that were begun longer ago.")
    private Double days;

    @Option(names = "--incomplete", description = "Those that were cut short or are damaged.")
    private boolean incomplete;

    @Option(names = "--all", description = "All.")
    private boolean all;

    @Option(names = "--keep", paramLabel = "N", description = "Keep the latest N.")
    private Integer keep;

    @Option(
            names = {"-n", "--dry-run"},
            description = "Remove nothing; print what would go.")
    private boolean dryRun;

    @Option(
            names = {"-q", "--quiet"},
            description = "Do not print what was removed.")
    private boolean quiet;

    @Mixin
    private DataDirectoryOption dataDirectory;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        check();
        DataDirectory directory = dataDirectory.directory();
        List<RecordingSummary> recordings = directory.recordings();
        int candidates = Math.max(0, recordings.size() - (keep == null ? 0 : keep));
        for (RecordingSummary recording : recordings.subList(0, candidates)) {
            if (isNamed(recording)) {
                remove(directory, recording);
            }
        }
        return 0;
    }

    private void check() {
        if (days != null && !(days >= 0 && days < Integer.MAX_VALUE)) {
            throw new ParameterException(spec.commandLine(), "--older-than needs a number of days");
        }
        if (keep != null && keep < 0) {
            throw new ParameterException(spec.commandLine(), "--keep needs a number of recordings");
        }
        if (days == null && keep == null && !all && !incomplete) {
            throw new ParameterException(
                    spec.commandLine(), "say what is to go: --older-than, --keep, --incomplete or --all");
        }
    }

    private boolean isNamed(RecordingSummary recording) {
        boolean keepAlone = keep != null && days == null && !incomplete;
        if (isBeginning(recording)) {
            return false;
        }
        return all || keepAlone || incomplete && isIncomplete(recording) || days != null && isOld(recording);
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
        return created.isBefore(Instant.now().minusSeconds((long) (days * SECONDS_PER_DAY)));
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
            if (dryRun) {
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
        if (!quiet) {
            spec.commandLine().getErr().println("eremite: " + words);
            spec.commandLine().getErr().flush();
        }
    }
}
