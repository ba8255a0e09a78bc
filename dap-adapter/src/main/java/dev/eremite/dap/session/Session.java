package dev.eremite.dap.session;

import dev.eremite.dap.Backend;
import dev.eremite.dap.mi.MiBreakpoint;
import dev.eremite.dap.mi.MiClient;
import dev.eremite.dap.mi.MiException;
import dev.eremite.dap.mi.MiRecord;
import dev.eremite.dap.mi.MiStop;
import dev.eremite.dap.mi.MiValue;
import dev.eremite.dap.protocol.Connection;
import dev.eremite.dap.protocol.RequestFailure;
import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.eclipse.lsp4j.debug.InitializeRequestArguments;

/** One client's debugging session, from its connection to its end. */
public final class Session implements MiClient.Listener, AutoCloseable {
    private static final List<String> REFRESH =
            List.of("maintenance flush register-cache", "maintenance flush dcache", "sharedlibrary");

    /** What the output of log points begins with (logpoints.py), to tell it from what GDB says itself. */
    private static final String LOG_POINT = "eremite-log: ";

    private final Backend backend;
    private final BreakpointBook book = new BreakpointBook();
    private final Execution execution = new Execution(this, book);
    private final List<Runnable> stopListeners = new ArrayList<>();
    private Consumer<MiBreakpoint> foundListener = found -> {};
    private Connection connection;
    private InitializeRequestArguments client = new InitializeRequestArguments();
    private volatile MiClient gdb;
    private volatile Replay replay;
    private volatile Process recorder;
    private final Runnable over;
    private volatile boolean begun;
    private volatile boolean closed;
    private final AtomicBoolean told = new AtomicBoolean();
    private boolean traced;

    /**
     * A session of a program that can open recordings.
     *
     * @param over is run at the end of {@link #close}
     */
    public Session(Backend backend, Runnable over) {
        this.backend = backend;
        this.over = over;
    }

    /** Tells the session whom it talks to. Called once, before anything else. */
    public void connect(Connection wire) {
        connection = wire;
    }

    /** Opens a recording and connects GDB to it. */
    public void open(String recording, int process, String program, List<String> setup) {
        if (Gdb.impossible(program)) {
            throw new UsageException(ErrorCode.GDB_NOT_FOUND, program + " cannot be started");
        }
        requireOpen();
        Replay opened = Replay.open(backend, recording, process, this::printed);
        replay = opened;
        try {
            if (!opened.complete()) {
                connection.output(
                        "console", "eremite: the recording is cut short; history ends at its last whole event\n");
            }
            attach("127.0.0.1", opened.port(), program, setup);
        } catch (RuntimeException e) {
            // The client may try again, with this recording or another, or attach elsewhere.
            closeReplay();
            throw e;
        }
    }

    private synchronized void closeReplay() {
        Replay open = replay;
        replay = null;
        if (open != null) {
            open.close();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new RequestFailure("the session has ended");
        }
    }

    /** Has the conversation with GDB shown in the client's console from now on. */
    public void trace(boolean wanted) {
        traced = wanted;
    }

    /** Connects GDB to a server. */
    public void attach(String host, int port, String program, List<String> setup) {
        MiClient started = Gdb.start(program, backend::restoreEnvironment, this);
        gdb = started;
        try {
            // The client may have left meanwhile, when there was nothing to close yet.
            requireOpen();
            if (traced) {
                started.trace(line -> connection.output("console", "mi: " + line + "\n"));
            }
            tell(Printers.register(started));
            for (String command : setup) {
                tell(started.console(command));
            }
            started.command("-target-select extended-remote " + host + ":" + port);
            begun = true;
        } catch (RuntimeException e) {
            gdb = null;
            started.close();
            throw e;
        }
    }

    private void tell(String text) {
        if (!text.isEmpty()) {
            connection.output("console", text);
        }
    }

    private void printed(int stream, byte[] bytes, long event) {
        Printing.show(connection, stream, bytes, event);
    }

    @Override
    public void happened(MiRecord record) {
        if (record.name().equals("breakpoint-modified")) {
            MiBreakpoint changed = MiBreakpoint.of(record.value().at("bkpt"));
            if (!changed.pending() && book.awaited(changed.number())) {
                connection.dispatcher().inTurn(() -> foundListener.accept(changed));
            }
        }
        if (record.kind() != MiRecord.Kind.EXEC) {
            boolean born = record.name().equals("thread-created");
            if (born || record.name().equals("thread-exited")) {
                int thread = (int) record.value().number("id", 0);
                connection.dispatcher().inTurn(() -> execution.tellThread(thread, born));
            }
            return;
        }
        if (record.name().equals("stopped")) {
            execution.arrived(MiStop.of(record.value()));
        } else if (record.name().equals("running")) {
            connection.dispatcher().inTurn(execution::resumed);
        }
    }

    @Override
    public void said(MiRecord.Kind stream, String text) {
        if (stream == MiRecord.Kind.TARGET) {
            connection.output("console", text);
        } else if (text.startsWith(LOG_POINT)) {
            connection.output("console", text.substring(LOG_POINT.length()));
        }
    }

    @Override
    public void ended() {
        // Of one that was started for a launch that is refused, the refusal tells.
        if (begun && !closed) {
            execution.close();
            connection.output("important", "eremite: gdb has ended, and with it this session\n");
            terminated();
        }
    }

    /** Tells the client, once, that there is nothing to debug any more. From any thread. */
    public void terminated() {
        if (!told.getAndSet(true)) {
            connection.event("terminated", null);
        }
    }

    /** Tells of breakpoints whose code is found only when a library is loaded. */
    public void onFound(Consumer<MiBreakpoint> listener) {
        foundListener = listener;
    }

    /** Has something done at each stop and each start, when what was known of frames and variables is void. */
    public void onStop(Runnable action) {
        stopListeners.add(action);
    }

    void forgetStop() {
        stopListeners.forEach(Runnable::run);
    }

    /** Who the client is and what it can do. */
    public void client(InitializeRequestArguments arguments) {
        client = arguments;
    }

    /** Whether the client says that it can do something. */
    public boolean client(Function<InitializeRequestArguments, Boolean> ability) {
        return Boolean.TRUE.equals(ability.apply(client));
    }

    /** Lines and columns of the client may count from 0. */
    public int toClientLine(int line) {
        return Boolean.FALSE.equals(client.getLinesStartAt1()) ? line - 1 : line;
    }

    /** Lines and columns of the client may count from 0. */
    public int fromClientLine(int line) {
        return Boolean.FALSE.equals(client.getLinesStartAt1()) ? line + 1 : line;
    }

    /** Lines and columns of the client may count from 0. */
    public int fromClientColumn(int column) {
        return Boolean.FALSE.equals(client.getColumnsStartAt1()) ? column + 1 : column;
    }

    /** The connection to the client. */
    public Connection connection() {
        return connection;
    }

    /** What opens and makes recordings. */
    public Backend backend() {
        return backend;
    }

    /** What moves. */
    public Execution execution() {
        return execution;
    }

    /** The client's breakpoints. */
    public BreakpointBook book() {
        return book;
    }

    /**
     * The GDB of this session.
     *
     * @throws RequestFailure when there is none
     */
    public MiClient mi() {
        MiClient present = gdb;
        if (present == null) {
            throw new RequestFailure("nothing is being debugged: launch or attach first");
        }
        return present;
    }

    /** The GDB of this session; null if there is none. From any thread. */
    public MiClient client() {
        return gdb;
    }

    /** The GDB of this session, while the program stands still. */
    public MiClient stoppedMi() {
        MiClient present = mi();
        execution.requireStopped();
        return present;
    }

    /**
     * The engine.
     *
     * @throws RequestFailure when the session is attached to a server elsewhere
     */
    public Replay replay() {
        Replay present = replay;
        if (present == null) {
            throw new RequestFailure("only a session that was launched can do that");
        }
        return present;
    }

    /** Whether the engine is in this process. */
    public boolean hasReplay() {
        return replay != null;
    }

    Optional<SteeredTarget> target() {
        return Optional.ofNullable(replay).map(Replay::target);
    }

    /** GDB's number of the thread that it has selected; 1 if it does not say. */
    public int currentThread() {
        try {
            MiValue info = mi().command("-thread-info");
            return (int) info.number("current-thread-id", 1);
        } catch (MiException e) {
            return 1;
        }
    }

    /** Lets GDB look at the libraries, registers and memory anew, after a seek. */
    public void refresh() {
        for (String command : REFRESH) {
            try {
                mi().console(command);
            } catch (MiException e) {
                connection.output("console", "gdb: " + e.getMessage() + "\n");
            }
        }
    }

    /** Notes the process that records just now; null when it has ended. */
    public void recorder(Process process) {
        recorder = process;
        if (closed && process != null) {
            process.destroy();
        }
    }

    /** Makes the engine stop what it does, whoever asked for it. From any thread. */
    public void interruptEngine() {
        target().ifPresent(SteeredTarget::interrupt);
        execution.interrupt();
    }

    /** Ends GDB and the replay. From any thread, also twice. */
    @Override
    public synchronized void close() {
        closed = true;
        MiClient client = gdb;
        Replay open = replay;
        Process recording = recorder;
        if (recording != null) {
            recording.destroy();
        }
        if (open != null) {
            open.target().interrupt();
        }
        if (client != null) {
            client.close();
        }
        gdb = null;
        closeReplay();
        execution.close();
        over.run();
    }
}
