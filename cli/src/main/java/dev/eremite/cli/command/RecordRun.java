package dev.eremite.cli.command;

import dev.eremite.cli.Nearest;
import dev.eremite.cli.engine.Engine;
import dev.eremite.cli.engine.Engines;
import dev.eremite.cli.engine.GuestProgram;
import dev.eremite.cli.engine.Outcome;
import dev.eremite.cli.engine.RecordRequest;
import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;
import dev.eremite.replay.store.DataDirectory;
import dev.eremite.tracer.linux.TerminalSignals;
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

    @Option(names = "--stats", description = "Print what was recorded, and how much.")
    private boolean stats;

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
        DataDirectory directory = dataDirectory.directory();
        RecordRequest request = new RecordRequest(program(), directory, timeout);
        Engine engine = Engines.engine();
        long start = System.nanoTime();
        Outcome outcome;
        try (TerminalSignals _ = TerminalSignals.leaveToGuest()) {
            outcome = engine.record(request);
        }
        double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
        if (outcome.timedOut()) {
            say("the program was ended after %s s (%s)", timeoutSeconds, ErrorCode.TIME_OUT.code());
        }
        if (stats) {
            say(
                    "%,d events, %,d stops, %,d bytes of log, %.3f s",
                    outcome.events(), outcome.stops(), outcome.logBytes(), seconds);
            for (String line :
                    RecordingStatistics.of(directory.open(outcome.id())).lines()) {
                say("  %s", line);
            }
        }
        if (StandardStreams.errorsAreSeen()) {
            say("recorded %s", outcome.id());
        }
        if (verify) {
            verify(engine, directory, outcome);
        }
        return outcome.status();
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
        Outcome replayed = engine.replay(directory.open(recorded.id()), true);
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
