package dev.eremite.dap.session;

import dev.eremite.dap.mi.MiClient;
import dev.eremite.dap.mi.MiException;
import dev.eremite.dap.mi.MiStop;
import dev.eremite.dap.protocol.RequestFailure;
import dev.eremite.replay.debug.Stop;
import dev.eremite.replay.debug.TimeTravel;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.eclipse.lsp4j.debug.ContinuedEventArguments;
import org.eclipse.lsp4j.debug.StoppedEventArguments;
import org.eclipse.lsp4j.debug.ThreadEventArguments;
import org.eclipse.lsp4j.debug.ThreadEventArgumentsReason;

/** What moves just now, and what becomes of its stop. All methods but those that say so run in turn with the requests. */
public final class Execution {
    private static final int INTERMISSION_MS = 2000;

    /** Whether the program moves. */
    private enum State {
        /** Nothing has been shown to the client yet. */
        NOT_STARTED,
        STOPPED,
        RUNNING
    }

    private final Session session;
    private final StopReport report;
    private final Progress progress;
    private State state = State.NOT_STARTED;
    private Movement movement;
    private boolean sought;
    private volatile int request = -1;
    private volatile MiStop lastStop;
    private volatile StoppedEventArguments shown;
    private final Object arrival = new Object();
    private final AtomicReference<MiStop> queued = new AtomicReference<>();
    private CompletableFuture<MiStop> intermission;

    Execution(Session session, BreakpointBook book) {
        this.session = session;
        this.report = new StopReport(book);
        this.progress = new Progress(session);
    }

    /** Whether the client has been shown anything yet. */
    public boolean started() {
        return state != State.NOT_STARTED;
    }

    /** Whether something moves. */
    public boolean running() {
        return state == State.RUNNING;
    }

    /**
     * What GDB said of the last stop.
     *
     * @return null before the first one
     */
    public MiStop lastStop() {
        return lastStop;
    }

    /** A stop that has come, and that the client will be told next; from any thread. */
    Optional<MiStop> unseen() {
        return Optional.ofNullable(queued.get());
    }

    /** The last stop as the client was told; null before the first one. */
    public StoppedEventArguments shown() {
        return shown;
    }

    /** The number of the request that made the present movement begin; −1 for none. From any thread. */
    public int request() {
        return request;
    }

    /**
     * Refuses what needs a program that stands still.
     *
     * @throws RequestFailure when it runs, or has not begun
     */
    public void requireStopped() {
        if (state != State.STOPPED) {
            throw new RequestFailure(
                    state == State.RUNNING ? "the program is running" : "the program has not been started yet");
        }
    }

    /**
     * Begins to move. The stop comes later, as an event.
     *
     * @param sequence the number of the request, −1 for none
     * @throws MiException when GDB refuses
     */
    public void start(Movement wanted, int sequence) {
        State before = state;
        // A fast stop may overtake the answer.
        state = State.RUNNING;
        movement = wanted;
        request = sequence;
        session.forgetStop();
        try {
            session.mi().command(wanted.command());
        } catch (MiException e) {
            state = before;
            request = -1;
            finish();
            movement = null;
            session.target().ifPresent(SteeredTarget::forgetWay);
            throw e;
        }
        progress.begin(wanted.title(), sequence);
    }

    /**
     * Begins to go to a place of the recording. For GDB it is a movement like any other.
     *
     * @param way goes there, on the engine's thread; whether it arrived
     */
    public void seek(Movement.Kind kind, String title, Predicate<TimeTravel> way, int sequence) {
        seek(Movement.of(kind, title, Movement.SEEK), way, sequence);
    }

    /** Begins to do what a command of the engine says, which may go elsewhere; the client is shown what it prints. */
    public void travel(String command, int sequence) {
        SteeredTarget target = session.target()
                .orElseThrow(() -> new RequestFailure("only a session that was launched can go to a place"));
        seek(
                Movement.Kind.GOTO,
                command,
                travel -> {
                    session.connection().output("console", target.monitor(command));
                    return true;
                },
                sequence);
    }

    /** The same with a movement whose command is {@link Movement#SEEK}, and of which only the way is to be another. */
    public void seek(Movement wanted, Predicate<TimeTravel> way, int sequence) {
        SteeredTarget target = session.target()
                .orElseThrow(() -> new RequestFailure("only a session that was launched can go to a place"));
        target.steer(way);
        start(wanted, sequence);
        sought = true;
    }

    /** The identifier of the progress that is shown; empty if none is. From any thread. */
    public String progressId() {
        return progress.id();
    }

    /** Shows the place where the program stands as the first stop. */
    public void showEntry() {
        state = State.STOPPED;
        shown = new StoppedEventArguments();
        shown.setReason("entry");
        shown.setAllThreadsStopped(true);
        shown.setThreadId(session.currentThread());
        session.connection().event("stopped", shown);
    }

    /** Ends the present movement as soon as possible. From any thread. */
    public void interrupt() {
        MiClient client = session.client();
        if (client != null) {
            client.send("-exec-interrupt");
        }
    }

    /** GDB says that the program runs. */
    void resumed() {
        if (state == State.STOPPED) {
            // Not our doing: a command in the console.
            state = State.RUNNING;
            movement = Movement.of(Movement.Kind.CONSOLE, "gdb", "-exec-continue");
            session.forgetStop();
            tellResumed();
            progress.begin("gdb", -1);
        }
    }

    /** Tells the client that the program moves, where that does not follow from what it asked for. */
    public void tellResumed() {
        ContinuedEventArguments event = new ContinuedEventArguments();
        StoppedEventArguments before = shown;
        event.setThreadId(before == null || before.getThreadId() == null ? 1 : before.getThreadId());
        event.setAllThreadsContinued(true);
        session.connection().event("continued", event);
    }

    /** Tells the client of a thread that gdb has found, or misses. */
    void tellThread(int thread, boolean born) {
        if (started()) {
            ThreadEventArguments event = new ThreadEventArguments();
            event.setReason(born ? ThreadEventArgumentsReason.STARTED : ThreadEventArgumentsReason.EXITED);
            event.setThreadId(thread);
            session.connection().event("thread", event);
        }
    }

    /** A stop has come: whoever waits for it takes it, else it gets its turn. On MI's reader. */
    void arrived(MiStop stop) {
        synchronized (arrival) {
            CompletableFuture<MiStop> waiting = intermission;
            if (waiting == null || !waiting.complete(stop)) {
                inTurn(stop);
            }
        }
    }

    private void inTurn(MiStop stop) {
        queued.set(stop);
        session.connection().dispatcher().inTurn(() -> {
            // Unless it has been taken meanwhile.
            if (queued.compareAndSet(stop, null)) {
                stopped(stop);
            }
        });
    }

    /** GDB says that the program has stopped. */
    private void stopped(MiStop stop) {
        if (state == State.NOT_STARTED || session.client() == null) {
            return;
        }
        lastStop = stop;
        Stop engine = engineStop();
        Optional<String> onward;
        if (sought) {
            sought = false;
            session.refresh();
            boolean arrived = session.target().filter(SteeredTarget::arrived).isPresent();
            onward = arrived && movement != null ? movement.then().apply(stop) : Optional.empty();
        } else {
            onward = onward(stop, engine);
        }
        if (onward.isPresent()) {
            try {
                session.mi().command(onward.get());
                return;
            } catch (MiException e) {
                session.connection().output("console", "gdb: " + e.getMessage() + "\n");
            }
        }
        progress.end();
        state = State.STOPPED;
        request = -1;
        finish();
        boolean lost = movement != null
                && movement.kind() == Movement.Kind.GOTO
                && session.target().filter(target -> target.interruptedSeek()).isPresent();
        String notice = session.target().map(SteeredTarget::notice).orElse("");
        shown = report.word(lost ? null : movement, stop, engine, notice);
        movement = null;
        session.forgetStop();
        session.connection().event("stopped", shown);
    }

    private void finish() {
        try {
            if (movement != null) {
                movement.done().run();
            }
        } catch (MiException e) {
            session.connection().output("console", "gdb: " + e.getMessage() + "\n");
        }
    }

    /** The command with which to go on silently; empty when the client is to see the stop. */
    private Optional<String> onward(MiStop stop, Stop engine) {
        boolean end = engine != null
                && (engine.reason() == Stop.Reason.HISTORY_BEGIN || engine.reason() == Stop.Reason.HISTORY_END);
        if (movement == null || end || StopReport.interrupted(stop, engine)) {
            return Optional.empty();
        }
        boolean counted = stop.breakpoint() > 0
                && session.book()
                        .find(stop.breakpoint())
                        .filter(entry -> !entry.hits().hit())
                        .isPresent();
        return counted ? Optional.of(movement.command()) : movement.then().apply(stop);
    }

    /** Ends the present movement, if any, without telling the client of a stop: another movement follows. */
    public void halt() {
        if (state != State.RUNNING) {
            return;
        }
        lastStop = interruptAndWait();
        progress.end();
        finish();
        state = State.STOPPED;
        sought = false;
        movement = null;
        request = -1;
        session.forgetStop();
    }

    private MiStop interruptAndWait() {
        CompletableFuture<MiStop> waiting = new CompletableFuture<>();
        synchronized (arrival) {
            MiStop here = queued.getAndSet(null);
            if (here != null) {
                return here;
            }
            intermission = waiting;
        }
        interrupt();
        try {
            return waiting.get(INTERMISSION_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new RequestFailure("the program is running and could not be interrupted", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RequestFailure("interrupted", e);
        } finally {
            synchronized (arrival) {
                intermission = null;
            }
        }
    }

    /**
     * Does something for which the program must stand still, interrupting a movement for that long. A step that is
     * interrupted so ends there.
     */
    public void whileStopped(Runnable action) {
        if (state != State.RUNNING) {
            action.run();
            return;
        }
        MiStop stop = interruptAndWait();
        try {
            action.run();
        } finally {
            goOn(stop);
        }
    }

    /** Goes on with the movement that was interrupted; where that is not possible, the client is shown the stop. */
    private void goOn(MiStop stop) {
        boolean own = movement != null && StopReport.interrupted(stop, engineStop());
        if (own && (movement.kind() == Movement.Kind.CONTINUE || movement.kind() == Movement.Kind.CONSOLE)) {
            try {
                session.mi().command(movement.command());
                return;
            } catch (MiException e) {
                session.connection().output("console", "gdb: " + e.getMessage() + "\n");
            }
        }
        inTurn(stop);
    }

    /** The engine's last stop; null where the engine is elsewhere. */
    private Stop engineStop() {
        return session.target().map(SteeredTarget::last).orElse(null);
    }

    /** Ends what tells of progress. From any thread, also twice. */
    void close() {
        progress.close();
    }
}
