package dev.eremite.cli.command;

import dev.eremite.cli.engine.DebugOptions;
import dev.eremite.cli.engine.Engine;
import dev.eremite.cli.engine.Engines;
import dev.eremite.cli.engine.ReplayOptions;
import dev.eremite.cli.guest.GuestEnvironment;
import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;
import dev.eremite.replay.log.EventLog;
import dev.eremite.replay.store.DataDirectory;
import dev.eremite.replay.store.Recording;
import dev.eremite.replay.store.RecordingInfo;
import dev.eremite.tracer.linux.TerminalSignals;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code eremite replay}: replays a recording, headless or under a debugger. */
@Command(name = "replay", description = "Replay a recording: under gdb, or without one.")
public final class ReplayCommand implements Callable<Integer> {
    private static final int LAST_PORT = 65535;
    private static final int DEFAULT_PORT = 1234;

    @Parameters(
            arity = "0..1",
            paramLabel = "ID",
            defaultValue = DataDirectory.LATEST,
            description = "The recording: its id, the beginning of it, or latest (the default).")
    private String id;

    @ArgGroup
    private Mode mode = new Mode();

    @Option(
            names = "--gdbserver-port",
            paramLabel = "N",
            description = "Like --gdbserver, on this port; 0: any free one (default: 1234).")
    private Integer port;

    @Option(
            names = {"-p", "--process"},
            paramLabel = "PID",
            description = "Show this process to the debugger, not the first one.")
    private Integer process;

    @Option(names = "--goto", paramLabel = "EVENT", description = "Begin at this event, not at the first instruction.")
    private Long event;

    @Option(
            names = "--gdbex",
            paramLabel = "COMMAND",
            description = "A command for gdb to begin with. Can be repeated.")
    private List<String> gdbCommands = List.of();

    @Option(names = "--gdb", paramLabel = "PATH", description = "The gdb to start (default: gdb from PATH).")
    private String gdb;

    @Option(
            names = "--until",
            paramLabel = "EVENT",
            description = "With --autopilot: stop after this event, and tell where that is.")
    private Long until;

    @Option(
            names = {"-q", "--quiet"},
            description = "Say nothing of Eremite's own.")
    private boolean quiet;

    @Mixin
    private DataDirectoryOption dataDirectory;

    /** What to do with the replay: one of these, or gdb. */
    private static final class Mode {
        @Option(names = "--autopilot", description = "No debugger: print what the program printed, end as it ended.")
        private boolean autopilot;

        @Option(names = "--gdbserver", description = "Wait for a debugger to connect; serve until interrupted.")
        private boolean gdbserver;
    }

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        Recording recording = dataDirectory.directory().open(id);
        Engine engine = Engines.engine();
        // Without anything to type commands, gdb would end at once; who names a gdb may have its commands elsewhere.
        if (mode.autopilot || !serves() && gdb == null && gdbCommands.isEmpty() && StandardStreams.inputIsEmpty()) {
            return autopilot(engine, recording);
        }
        if (!quiet && recording.info().state() != RecordingInfo.State.COMPLETE) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("eremite: the recording " + recording.info().id()
                    + " is cut short; history ends at its last whole event");
            err.flush();
        }
        return serves() ? serve(engine, recording) : debug(engine, recording);
    }

    private int autopilot(Engine engine, Recording recording) {
        ReplayOptions options =
                new ReplayOptions(false, !quiet && StandardStreams.errorsAreSeen(), StandardStreams.outputIsSeen());
        if (until == null) {
            return engine.replay(recording, options).status();
        }
        long events;
        try (EventLog.Reader log = recording.openLog()) {
            events = log.size();
        }
        if (until < 0 || until >= events) {
            throw EventRange.missing(spec.commandLine(), until, events);
        }
        String place = engine.replayUntil(recording, until, options);
        if (!quiet) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("eremite: stopped after event " + until + " of 0 to " + (events - 1) + ": " + place);
            err.flush();
        }
        return 0;
    }

    /** Whoever names a port wants a server. */
    private boolean serves() {
        return mode.gdbserver || port != null;
    }

    private void check() {
        if (port != null && (port < 0 || port > LAST_PORT)) {
            throw usage("--gdbserver-port needs a number from 0 to " + LAST_PORT);
        }
        if (mode.autopilot && port != null) {
            throw usage("--autopilot and --gdbserver-port exclude each other");
        }
        if (until != null && !mode.autopilot) {
            throw usage("--until needs --autopilot");
        }
        if (mode.autopilot && (process != null || event != null)) {
            throw usage("--process and --goto are for debuggers, not for --autopilot");
        }
        if (!gdbCommands.isEmpty() && (mode.autopilot || serves())) {
            throw usage("--gdbex is for the gdb that --autopilot and --gdbserver do not start");
        }
        if (gdb == null) {
            return;
        }
        if (mode.autopilot || serves()) {
            throw usage("--gdb starts a gdb, which --autopilot and --gdbserver do not");
        }
        if (gdb.contains("/") && !Files.isExecutable(Path.of(gdb))) {
            throw new UsageException(ErrorCode.GDB_NOT_FOUND, gdb + " cannot be started");
        }
    }

    private DebugOptions shown(Recording recording) {
        if (event != null) {
            long events;
            try (EventLog.Reader log = recording.openLog()) {
                events = log.size();
            }
            if (event < 0 || event >= events) {
                throw EventRange.missing(spec.commandLine(), event, events);
            }
        }
        return new DebugOptions(process == null ? 0 : process, event == null ? -1 : event);
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** Serves until a signal ends this process. The guests end with it: they are traced with PTRACE_O_EXITKILL. */
    private int serve(Engine engine, Recording recording) throws InterruptedException {
        try (DebugService service =
                DebugService.start(engine, recording, shown(recording), port == null ? DEFAULT_PORT : port)) {
            PrintWriter err = spec.commandLine().getErr();
            // Also when quiet: without the port, a server at any free one is of no use.
            err.println("eremite: serving " + recording.info().id() + "; connect with");
            err.println("gdb -q " + quoted(service.connecting()));
            err.flush();
            new CountDownLatch(1).await();
            return 0;
        }
    }

    private int debug(Engine engine, Recording recording) throws IOException, InterruptedException {
        try (DebugService service = DebugService.start(engine, recording, shown(recording), 0);
                // ^C is for gdb, which passes it on.
                TerminalSignals _ = TerminalSignals.leaveToGuest()) {
            String program = gdb == null ? "gdb" : gdb;
            Path macros = Files.createTempFile("eremite-", ".gdb");
            Files.writeString(macros, GdbInit.text());
            List<String> command = new ArrayList<>(List.of(program, "-q", "-x", macros.toString()));
            command.addAll(service.connecting());
            gdbCommands.forEach(text -> command.addAll(List.of("-ex", text)));
            Process process;
            try {
                ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
                GuestEnvironment.restore(builder.environment(), GuestEnvironment.callersNames());
                process = builder.start();
            } catch (IOException e) {
                Files.delete(macros);
                throw new UsageException(ErrorCode.GDB_NOT_FOUND, program + " cannot be started", e);
            }
            int status = process.waitFor();
            Files.deleteIfExists(macros);
            return status;
        }
    }

    private static String quoted(List<String> words) {
        return words.stream()
                .map(word -> word.contains(" ") ? "'" + word + "'" : word)
                .collect(Collectors.joining(" "));
    }
}
