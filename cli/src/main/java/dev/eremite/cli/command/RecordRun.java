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
import dev.eremite.tracer.linux.TerminalSignals;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of a recording, and the recording itself. */
final class RecordRun {
    private static final double NANOS_PER_SECOND = 1e9;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = {"-q", "--quiet"},
            description = "Say nothing of Eremite's own.")
    private boolean quiet;

    @Option(names = "--verify", description = "Replay the recording at once and compare.")
    private boolean verify;

    @Option(names = "--stats", description = "Print what was recorded, how much, and what that cost.")
    private boolean stats;

    @Option(names = "--json", paramLabel = "F", description = "Write the same into this file, as JSON.")
    private Path json;

    @Option(names = "--record-timeout", paramLabel = "S", description = "End the program after this many seconds.")
    private Double timeoutSeconds;

    @Mixin
    private DataDirectoryOption dataDirectory;

    @Mixin
    private GuestOptions guest;

    /** Records, and verifies if asked; returns the command's exit status. */
    int run() {
        if (timeoutSeconds != null && !(timeoutSeconds > 0 && timeoutSeconds < Integer.MAX_VALUE)) {
            throw new ParameterException(spec.commandLine(), "--record-timeout needs a positive number of seconds");
        }
        Duration timeout = timeoutSeconds == null ? null : Duration.ofNanos((long) (timeoutSeconds * NANOS_PER_SECOND));
        checkJson();
        try {
            return record(timeout);
        } catch (UsageException e) {
            // A failing verification comes after the result, which stays.
            if (json != null && e.errorCode() != ErrorCode.REPLAY_DIFFERS && e.errorCode() != ErrorCode.DIVERGENCE) {
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
        boolean reports = stats || json != null;
        ProcessorTimes before = reports ? ProcessorTimes.now() : null;
        long start = System.nanoTime();
        Outcome outcome;
        try (TerminalSignals _ = TerminalSignals.leaveToGuest()) {
            outcome = engine.record(request);
        }
        double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
        if (outcome.timedOut()) {
            say("the program was ended after %s s (%s)", timeoutSeconds, ErrorCode.TIME_OUT.code());
        }
        if (reports) {
            ProcessorTimes times = ProcessorTimes.now().since(before);
            report(new RecordReport(outcome, seconds, times, directory.open(outcome.id())));
        }
        if (StandardStreams.errorsAreSeen()) {
            say("recorded %s", outcome.id());
        }
        if (verify) {
            verify(engine, directory, outcome);
        }
        return outcome.status();
    }

    private void report(RecordReport report) {
        if (stats) {
            report.lines().forEach(line -> say("%s", line));
        }
        if (json != null) {
            writeJson(report.json());
        }
    }

    /** A file that cannot be written should not be found out after an hour of recording. */
    private void checkJson() {
        if (json == null) {
            return;
        }
        Path folder = json.toAbsolutePath().getParent();
        boolean exists = Files.exists(json);
        if (folder == null || Files.isDirectory(json) || !Files.isWritable(exists ? json : folder)) {
            throw new ParameterException(spec.commandLine(), "--json: cannot write " + json);
        }
    }

    private void writeJson(byte[] contents) {
        try {
            Files.writeString(json, new String(contents, StandardCharsets.UTF_8) + "\n");
        } catch (IOException e) {
            throw LogException.ofIo("cannot write " + json, e);
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
                new ReplayOptions(true, !quiet && StandardStreams.errorsAreSeen(), StandardStreams.outputIsSeen()));
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
        if (!quiet) {
            spec.commandLine().getErr().println("eremite: " + format.formatted(values));
            spec.commandLine().getErr().flush();
        }
    }
}
