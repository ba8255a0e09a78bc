package dev.eremite.cli.command;

import dev.eremite.cli.Nearest;
import dev.eremite.cli.engine.Engine;
import dev.eremite.cli.engine.Engines;
import dev.eremite.cli.engine.GuestProgram;
import dev.eremite.cli.engine.Outcome;
import dev.eremite.cli.engine.RecordRequest;
import dev.eremite.cli.engine.ReplayOptions;
import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;
import dev.eremite.replay.log.LogException;
import dev.eremite.replay.store.DataDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The options of a recording, and the recording itself. */
final class RecordRun {
    private static final double NANOS_PER_SECOND = 1e9;

    private final CommandSpec spec;
    private final Setting<Boolean> quiet;
    private final Setting<Boolean> verify;
    private final Setting<Boolean> stats;
    private final Setting<Path> json;
    private final Setting<Double> timeoutSeconds;
    private final DataDirectoryOption dataDirectory;
    private final GuestOptions guest;

    /** Adds the options to a command. */
    RecordRun(CommandSpec spec) {
        this.spec = spec;
        quiet = Syntax.flag(spec, "Say nothing of Eremite's own.", "-q", "--quiet");
        verify = Syntax.flag(spec, "Replay the recording at once and compare.", "--verify");
        stats = Syntax.flag(spec, "Print what was recorded, how much, and what that cost.", "--stats");
        json = Syntax.option(spec, Path.class, "F", "Write the same into this file, as JSON.", "--json");
        timeoutSeconds =
                Syntax.option(spec, Double.class, "S", "End the program after this many seconds.", "--record-timeout");
        dataDirectory = new DataDirectoryOption(spec);
        guest = new GuestOptions(spec);
    }

    /** Records, and verifies if asked; returns the command's exit status. */
    int run() {
        if (timeoutSeconds.get() != null && !(timeoutSeconds.get() > 0 && timeoutSeconds.get() < Integer.MAX_VALUE)) {
            throw new ParameterException(spec.commandLine(), "--record-timeout needs a positive number of seconds");
        }
        Duration timeout = timeoutSeconds.get() == null
                ? null
                : Duration.ofNanos((long) (timeoutSeconds.get() * NANOS_PER_SECOND));
        checkJson();
        try {
            return record(timeout);
        } catch (UsageException e) {
            // A failing verification comes after the result, which stays.
            if (json.get() != null
                    && e.errorCode() != ErrorCode.REPLAY_DIFFERS
                    && e.errorCode() != ErrorCode.DIVERGENCE) {
                ErrorCode code = e.errorCode();
                writeJson(RecordReport.failure(code.exitStatus(), code.code(), e.getMessage()));
            }
            throw e;
        }
    }

    private int record(Duration timeout) {
        DataDirectory directory = dataDirectory.directory();
        RecordRequest request = new RecordRequest(program(), directory, timeout);
        Engine engine = Engines.engine();
        boolean reports = stats.get() || json.get() != null;
        ProcessorTimes before = reports ? ProcessorTimes.now() : null;
        long start = System.nanoTime();
        Outcome outcome = engine.record(request);
        double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
        if (outcome.timedOut()) {
            say("the program was ended after %s s (%s)", timeoutSeconds.get(), ErrorCode.TIME_OUT.code());
        }
        if (reports) {
            ProcessorTimes times = ProcessorTimes.now().since(before);
            report(new RecordReport(outcome, seconds, times, directory.open(outcome.id())));
        }
        if (StandardStreams.errorsAreSeen()) {
            say("recorded %s", outcome.id());
        }
        if (verify.get()) {
            verify(engine, directory, outcome);
        }
        return outcome.status();
    }

    private void report(RecordReport report) {
        if (stats.get()) {
            report.lines().forEach(line -> say("%s", line));
        }
        if (json.get() != null) {
            writeJson(report.json());
        }
    }

    /** A file that cannot be written should not be found out after an hour of recording. */
    private void checkJson() {
        if (json.get() == null) {
            return;
        }
        Path folder = json.get().toAbsolutePath().getParent();
        boolean exists = Files.exists(json.get());
        if (folder == null || Files.isDirectory(json.get()) || !Files.isWritable(exists ? json.get() : folder)) {
            throw new ParameterException(spec.commandLine(), "--json: cannot write " + json.get());
        }
    }

    private void writeJson(byte[] contents) {
        try {
            Files.writeString(json.get(), new String(contents, StandardCharsets.UTF_8) + "\n");
        } catch (IOException e) {
            throw LogException.ofIo("cannot write " + json.get(), e);
        }
    }

    /** The program; where there is none and no dashes either, a verb of record may have been meant. */
    private GuestProgram program() {
        try {
            return guest.program();
        } catch (UsageException e) {
            List<String> words = spec.commandLine().getParseResult().originalArgs();
            if (e.errorCode() != ErrorCode.PROGRAM_NOT_FOUND || words.contains("--")) {
                throw e;
            }
            String verb = Nearest.to(guest.name(), spec.commandLine().getSubcommands().keySet().stream())
                    .orElseThrow(() -> e);
            throw new UsageException(
                    e.errorCode(), e.getMessage(), "did you mean eremite record " + verb + "? " + e.cure(), e);
        }
    }

    private void verify(Engine engine, DataDirectory directory, Outcome recorded) {
        Outcome replayed = engine.replay(
                directory.open(recorded.id()),
                new ReplayOptions(
                        true, !quiet.get() && StandardStreams.errorsAreSeen(), StandardStreams.outputIsSeen()));
        if (replayed.exitStatus() != recorded.exitStatus()
                || replayed.signal() != recorded.signal()
                || replayed.events() != recorded.events()) {
            throw new UsageException(
                    ErrorCode.REPLAY_DIFFERS,
                    "the replay ended with status " + replayed.status() + " after " + replayed.events()
                            + " events, the recording with " + recorded.status() + " after " + recorded.events());
        }
        say("verified: the replay does the same");
    }

    private void say(String format, Object... values) {
        if (!quiet.get()) {
            spec.commandLine().getErr().println("eremite: " + format.formatted(values));
            spec.commandLine().getErr().flush();
        }
    }
}
