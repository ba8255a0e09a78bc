package dev.eremite.cli.engine;

import dev.eremite.cli.StreamException;
import dev.eremite.cli.Version;
import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;
import dev.eremite.detcore.syscall.Errno;
import dev.eremite.detcore.syscall.SyscallDecoder;
import dev.eremite.detcore.syscall.SyscallTable;
import dev.eremite.replay.debug.DebugTarget;
import dev.eremite.replay.debug.ThreadRegisters;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.EventSummary;
import dev.eremite.replay.guest.CpuidTable;
import dev.eremite.replay.log.LogException;
import dev.eremite.replay.record.DiscardingSink;
import dev.eremite.replay.record.RecordOptions;
import dev.eremite.replay.record.RecordResult;
import dev.eremite.replay.record.Recorder;
import dev.eremite.replay.record.StoreSink;
import dev.eremite.replay.session.ReplayOutput;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.session.ReplayTask;
import dev.eremite.replay.session.RootStatus;
import dev.eremite.replay.session.StoreSource;
import dev.eremite.replay.store.DataDirectory;
import dev.eremite.replay.store.Recording;
import dev.eremite.replay.store.RecordingBuilder;
import dev.eremite.replay.store.RecordingStart;
import dev.eremite.replay.timeline.ProcessTable;
import dev.eremite.replay.timeline.Timeline;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.TerminalSignals;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.Tracer;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** The engine that records and replays through ptrace. */
final class TracingEngine implements Engine {
    private static final int WAIT_SIGNAL_MASK = 0x7f;
    private static final int ENOENT = 2;
    private static final int SIGKILL = 9;
    private static final int FINISH_SECONDS = 30;

    /** Makes what every engine needs; without it the first use does. */
    static void prepare() {
        Tracer.prepare();
        SyscallTable.linux();
    }

    @Override
    public Outcome record(RecordRequest request) {
        GuestProgram program = request.program();
        RecordingStart start = RecordingStart.here(
                Version.current(),
                text(program.arguments()),
                program.workdir().toString(),
                text(program.environment()),
                program.path());
        AtomicReference<Path> folder = new AtomicReference<>();
        // ^C before there is a program: of its recording nothing is to stay.
        Thread forget = Thread.ofPlatform().name("forget").unstarted(() -> DataDirectory.forget(folder::get));
        atEndOfProcess(forget);
        try {
            return record(request, start, folder, () -> {
                folder.set(null);
                notAtEndOfProcess(forget);
            });
        } catch (RuntimeException e) {
            if (folder.get() != null && !notAtEndOfProcess(forget)) {
                awaitEndOfProcess();
            }
            throw e;
        }
    }

    private static Outcome record(
            RecordRequest request, RecordingStart start, AtomicReference<Path> folder, Runnable whenLaunched) {
        GuestProgram program = request.program();
        RecordingBuilder recording = request.dataDirectory().begin(start, folder::set);
        try (recording) {
            Recorder recorder =
                    new Recorder(options(program, request.timeout()), SyscallTable.linux(), new StoreSink(recording));
            launch(recorder, program);
            whenLaunched.run();
            try (TerminalSignals _ = recorder.terminal()) {
                RecordResult result = run(recorder);
                int signal = result.status() & WAIT_SIGNAL_MASK;
                return outcome(
                        recording.id(),
                        result,
                        recording.finish(result.shellStatus(), signal).bytes());
            }
        } catch (LogException e) {
            // Closed by now, and gone unless it has an event.
            if (e.code() != LogException.Code.DISK_FULL || !Files.exists(recording.directory())) {
                throw e;
            }
            throw new LogException(
                    e.code(),
                    e.getMessage() + ", so the recording ends here",
                    "Make room, or choose another place with --data-dir; eremite replay " + recording.id()
                            + " shows what was recorded until then.",
                    e);
        }
    }

    /** SIGTERM and SIGHUP to this process end the guest, and the recording in order. */
    private static RecordResult run(Recorder recorder) {
        Thread whenTerminated = Thread.ofPlatform().name("terminate").unstarted(() -> {
            recorder.terminate();
            try {
                // The JVM halts when its shutdown threads are through, or when the command has ended.
                new CountDownLatch(1).await(FINISH_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        atEndOfProcess(whenTerminated);
        // Who started this recording may want it to end with them.
        Long parent = Long.getLong("eremite.parent");
        if (parent != null) {
            ProcessHandle.of(parent)
                    .ifPresentOrElse(handle -> handle.onExit().thenRun(recorder::terminate), recorder::terminate);
        }
        RecordResult result = recorder.run();
        // If it runs already, that the guest has ended is its doing.
        notAtEndOfProcess(whenTerminated);
        return result;
    }

    /** Registers what is to be done when the process is asked to end. Where it is ending already, this never returns. */
    private static void atEndOfProcess(Thread thread) {
        try {
            Runtime.getRuntime().addShutdownHook(thread);
        } catch (IllegalStateException e) {
            awaitEndOfProcess();
        }
    }

    /** The reverse; false if the process is ending, so that it runs already. */
    private static boolean notAtEndOfProcess(Thread thread) {
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /** The JVM halts as soon as its shutdown threads are through. */
    private static void awaitEndOfProcess() {
        while (true) {
            LockSupport.park();
        }
    }

    private static List<String> text(List<byte[]> strings) {
        return strings.stream()
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .toList();
    }

    @Override
    public Outcome replay(Recording recording, ReplayOptions options) {
        try (StoreSource source = new StoreSource(recording);
                ReplayProgress progress = new ReplayProgress(options, source.size(), output(options));
                Tracer tracer = new Tracer();
                ReplaySession session = new ReplaySession(tracer, source, progress)) {
            RootStatus root =
                    new RootStatus(source.size() == 0 ? 0 : source.event(0).task());
            while (!session.atEnd()) {
                progress.reached(session.position());
                root.observe(session.nextEvent());
                session.step();
            }
            int status = root.status();
            if (!source.complete()) {
                throw new UsageException(
                        ErrorCode.RECORDING_CUT,
                        "the recording " + recording.info().id() + " is cut short after event " + (source.size() - 1));
            }
            return new Outcome(
                    recording.info().id(),
                    (status >> 8) & 0xff,
                    status & WAIT_SIGNAL_MASK,
                    false,
                    source.size(),
                    null,
                    recording.info().bytes());
        }
    }

    @Override
    public String replayUntil(Recording recording, long last, ReplayOptions options) {
        try (StoreSource source = new StoreSource(recording);
                ReplayProgress progress = new ReplayProgress(options, last + 1, output(options));
                Tracer tracer = new Tracer();
                ReplaySession session = new ReplaySession(tracer, source, progress)) {
            EventSummary summary = new EventSummary(SyscallDecoder.linux());
            String line = "";
            while (session.position() <= last) {
                progress.reached(session.position());
                Event event = session.nextEvent();
                // Of the others, only what the end of a waiting call will need.
                if (session.position() == last || event instanceof Event.SyscallEnter) {
                    line = summary.line(event);
                }
                session.step();
            }
            ReplayTask task = session.tasks().get(source.event(last).task());
            return task == null
                    ? line
                    : line + "; at 0x" + Long.toHexString(task.tracee().register(Reg.RIP));
        }
    }

    private static ReplayOutput output(ReplayOptions options) {
        return options.silent() ? (stream, bytes) -> {} : new StandardStreams();
    }

    @Override
    public DebugTarget debug(Recording recording, DebugOptions options) {
        return debug(recording, options, new StandardStreams());
    }

    @Override
    public DebugTarget debug(Recording recording, DebugOptions options, ReplayOutput output) {
        StoreSource source = new StoreSource(recording);
        Optional<ProcessTable.Entry> process = Optional.empty();
        if (options.process() != 0) {
            process = ProcessTable.of(source).find(options.process());
            if (process.isEmpty()) {
                source.close();
                throw new UsageException(
                        ErrorCode.PROCESS_NOT_FOUND, "the recording has no process " + options.process());
            }
        }
        Tracer tracer = new Tracer();
        Tracee stub = tracer.spawn();
        stub.mapEngineData();
        ThreadRegisters.XsaveLayout layout = CpuidTable.read(stub).xsaveLayout();
        tracer.kill(stub.tid(), SIGKILL);
        tracer.awaitEnd(stub);
        Timeline timeline = new Timeline(
                source,
                tracer,
                output,
                layout,
                path -> Optional.ofNullable(recording.files().get(path)).map(recording::blob),
                process);
        if (options.event() >= 0) {
            timeline.seek(options.event());
        }
        return timeline;
    }

    @Override
    public Outcome strace(GuestProgram program) {
        // Not to be closed: what goes wrong is said there.
        PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        CallPrinter printer = new CallPrinter(err, program.arguments());
        Recorder recorder =
                new Recorder(options(program, null), SyscallTable.linux(), new DiscardingSink(printer), printer);
        launch(recorder, program);
        try (TerminalSignals _ = recorder.terminal()) {
            return outcome("", run(recorder), 0);
        }
    }

    private static RecordOptions options(GuestProgram program, Duration timeout) {
        return new RecordOptions(
                program.path(),
                program.arguments(),
                program.environment(),
                program.workdir().toString(),
                program.descriptors(),
                timeout == null ? 0 : timeout.toNanos());
    }

    private static void launch(Recorder recorder, GuestProgram program) {
        int errno = recorder.launch();
        if (errno != 0) {
            throw new UsageException(
                    errno == ENOENT ? ErrorCode.PROGRAM_NOT_FOUND : ErrorCode.PROGRAM_NOT_EXECUTABLE,
                    "cannot execute " + program.path() + ": " + Errno.of(errno).message());
        }
    }

    private static Outcome outcome(String id, RecordResult result, long bytes) {
        int signal = result.status() & WAIT_SIGNAL_MASK;
        return new Outcome(
                id, (result.status() >> 8) & 0xff, signal, result.timedOut(), result.events(), result.costs(), bytes);
    }

    /** This process's own standard streams, unbuffered. */
    private static final class StandardStreams implements ReplayOutput {
        private final OutputStream stdout = new FileOutputStream(FileDescriptor.out);
        private final OutputStream stderr = new FileOutputStream(FileDescriptor.err);

        @Override
        public void write(int stream, byte[] bytes) {
            try {
                (stream == 1 ? stdout : stderr).write(bytes);
            } catch (IOException e) {
                throw new StreamException(stream, e);
            }
        }
    }
}
