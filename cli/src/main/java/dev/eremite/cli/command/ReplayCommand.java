package dev.eremite.cli.command;

import dev.eremite.cli.engine.DebugOptions;
import dev.eremite.cli.engine.Engine;
import dev.eremite.cli.engine.Engines;
import dev.eremite.cli.engine.ReplayOptions;
import dev.eremite.cli.guest.GuestEnvironment;
import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** {@code eremite replay}: replays a recording, headless or under a debugger. */
public final class ReplayCommand implements Verb {
    private static final int LAST_PORT = 65535;
    private static final int GDB_END_MS = 1000;
    private static final int DEFAULT_PORT = 1234;

    private final CommandSpec spec = Syntax.command(this, "replay", "Replay a recording: under gdb, or without one.");
    private final Setting<String> id = Syntax.parameter(
            spec, "ID", DataDirectory.LATEST, "The recording: its id, the beginning of it, or latest (the default).");
    private final Setting<Integer> port = Syntax.option(
            spec,
            Integer.class,
            "N",
            "Like --gdbserver, on this port; 0: any free one (default: 1234).",
            "--gdbserver-port");
    private final Setting<Integer> process = Syntax.option(
            spec, Integer.class, "PID", "Show this process to the debugger, not the first one.", "-p", "--process");
    private final Setting<Long> event =
            Syntax.option(spec, Long.class, "EVENT", "Begin at this event, not at the first instruction.", "--goto");
    private final Setting<List<String>> gdbCommands =
            Syntax.options(spec, "COMMAND", "A command for gdb to begin with. Can be repeated.", "--gdbex");
    private final Setting<String> gdb =
            Syntax.option(spec, String.class, "PATH", "The gdb to start (default: gdb from PATH).", "--gdb");
    private final Setting<Long> until = Syntax.option(
            spec, Long.class, "EVENT", "With --autopilot: stop after this event, and tell where that is.", "--until");
    private final Setting<Boolean> quiet = Syntax.flag(spec, "Say nothing of Eremite's own.", "-q", "--quiet");
    private final DataDirectoryOption dataDirectory = new DataDirectoryOption(spec);
    private final OptionSpec autopilot =
            Syntax.flag("No debugger: print what the program printed, end as it ended.", "--autopilot");
    private final OptionSpec gdbserver =
            Syntax.flag("Wait for a debugger to connect; serve until interrupted.", "--gdbserver");

    /** A replay; a verb is called once. */
    public ReplayCommand() {
        // What to do with the replay: one of these, or gdb.
        spec.addArgGroup(
                ArgGroupSpec.builder().addArg(autopilot).addArg(gdbserver).build());
    }

    @Override
    public CommandSpec spec() {
        return spec;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        Recording recording = dataDirectory.directory().open(id.get());
        Engine engine = Engines.engine();
        // Without anything to type commands, gdb would end at once; who names a gdb may have its commands elsewhere.
        if (isSet(autopilot)
                || !serves() && gdb.get() == null && gdbCommands.get().isEmpty() && StandardStreams.inputIsEmpty()) {
            return autopilot(engine, recording);
        }
        if (!quiet.get() && recording.info().state() != RecordingInfo.State.COMPLETE) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("eremite: the recording " + recording.info().id()
                    + " is cut short; history ends at its last whole event");
            err.flush();
        }
        return serves() ? serve(engine, recording) : debug(engine, recording);
    }

    private int autopilot(Engine engine, Recording recording) {
        ReplayOptions options = new ReplayOptions(
                false, !quiet.get() && StandardStreams.errorsAreSeen(), StandardStreams.outputIsSeen());
        if (until.get() == null) {
            return engine.replay(recording, options).status();
        }
        long events = EventArguments.check(spec.commandLine(), until.get(), recording);
        String place = engine.replayUntil(recording, until.get(), options);
        if (!quiet.get()) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("eremite: stopped after event " + until.get() + " of 0 to " + (events - 1) + ": " + place);
            err.flush();
        }
        return 0;
    }

    /** Whoever names a port wants a server. */
    private boolean serves() {
        return isSet(gdbserver) || port.get() != null;
    }

    private static boolean isSet(OptionSpec flag) {
        return Boolean.TRUE.equals(flag.getValue());
    }

    private void check() {
        if (port.get() != null && (port.get() < 0 || port.get() > LAST_PORT)) {
            throw usage("--gdbserver-port needs a number from 0 to " + LAST_PORT);
        }
        if (isSet(autopilot) && port.get() != null) {
            throw usage("--autopilot and --gdbserver-port exclude each other");
        }
        if (until.get() != null && !isSet(autopilot)) {
            throw usage("--until needs --autopilot");
        }
        if (isSet(autopilot) && (process.get() != null || event.get() != null)) {
            throw usage("--process and --goto are for debuggers, not for --autopilot");
        }
        if (!gdbCommands.get().isEmpty() && (isSet(autopilot) || serves())) {
            throw usage("--gdbex is for the gdb that --autopilot and --gdbserver do not start");
        }
        if (gdb.get() == null) {
            return;
        }
        if (isSet(autopilot) || serves()) {
            throw usage("--gdb starts a gdb, which --autopilot and --gdbserver do not");
        }
        if (gdb.get().contains("/") && !Files.isExecutable(Path.of(gdb.get()))) {
            throw new UsageException(ErrorCode.GDB_NOT_FOUND, gdb.get() + " cannot be started");
        }
    }

    private DebugOptions shown(Recording recording) {
        if (event.get() != null) {
            EventArguments.check(spec.commandLine(), event.get(), recording);
        }
        return new DebugOptions(process.get() == null ? 0 : process.get(), event.get() == null ? -1 : event.get());
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** Serves until a signal ends this process. The guests end with it: they are traced with PTRACE_O_EXITKILL. */
    private int serve(Engine engine, Recording recording) throws InterruptedException {
        try (DebugService service = DebugService.start(
                engine, recording, shown(recording), port.get() == null ? DEFAULT_PORT : port.get())) {
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
            Path macros = Files.createTempFile("eremite-", ".gdb");
            try {
                Files.writeString(macros, GdbInit.text());
                Process gdb = startGdb(macros, service);
                Thread whenTerminated = Thread.ofPlatform().name("end-gdb").unstarted(() -> end(gdb, macros));
                Runtime.getRuntime().addShutdownHook(whenTerminated);
                return gdb.waitFor();
            } finally {
                Files.deleteIfExists(macros);
            }
        }
    }

    /** SIGTERM and SIGHUP to this process end gdb, also one that does not listen. */
    private static void end(Process gdb, Path macros) {
        try {
            gdb.destroy();
            if (!gdb.waitFor(GDB_END_MS, TimeUnit.MILLISECONDS)) {
                gdb.destroyForcibly();
            }
            Files.deleteIfExists(macros);
        } catch (IOException e) {
            // A file in the folder for temporary ones stays.
        } catch (InterruptedException e) {
            gdb.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private Process startGdb(Path macros, DebugService service) {
        String program = gdb.get() == null ? "gdb" : gdb.get();
        List<String> command = new ArrayList<>(List.of(program, "-q", "-x", macros.toString()));
        command.addAll(service.connecting());
        gdbCommands.get().forEach(text -> command.addAll(List.of("-ex", text)));
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        GuestEnvironment.restore(builder.environment(), GuestEnvironment.callersNames());
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UsageException(ErrorCode.GDB_NOT_FOUND, program + " cannot be started", e);
        }
    }

    private static String quoted(List<String> words) {
        return words.stream()
                .map(word -> word.contains(" ") ? "'" + word + "'" : word)
                .collect(Collectors.joining(" "));
    }
}
