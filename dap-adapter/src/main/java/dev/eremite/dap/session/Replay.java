package dev.eremite.dap.session;

import dev.eremite.dap.Backend;
import dev.eremite.dap.protocol.RequestFailure;
import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;
import dev.eremite.gdb.GdbServer;
import dev.eremite.replay.debug.TimeTravel;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

/** A recording that is being replayed in this process, served to GDB on a port of the loopback interface. */
public final class Replay implements AutoCloseable {
    private final ExecutorService thread;
    private final Backend.Opened opened;
    private final SteeredTarget target;
    private final GdbServer server;

    private Replay(ExecutorService thread, Backend.Opened opened, SteeredTarget target, GdbServer server) {
        this.thread = thread;
        this.opened = opened;
        this.target = target;
        this.server = server;
    }

    /** Opens a recording and serves it; throws what {@link Backend#open} throws, and E114 if there is no port. */
    static Replay open(Backend backend, String recording, int process, Backend.OutputListener output) {
        // The kernel takes ptrace requests from one thread alone, so one thread owns the replay.
        ExecutorService thread = Executors.newSingleThreadExecutor(
                task -> Thread.ofPlatform().name("replay").daemon().unstarted(task));
        Backend.Opened opened = null;
        try {
            opened = on(thread, () -> backend.open(recording, process, output));
            SteeredTarget target = new SteeredTarget(opened.target());
            return new Replay(thread, opened, target, GdbServer.start(target, thread, 0));
        } catch (IOException e) {
            thread.submit(opened.target()::close);
            thread.shutdown();
            throw new UsageException(ErrorCode.PORT, e.getMessage(), e);
        } catch (RuntimeException e) {
            thread.shutdown();
            throw e;
        }
    }

    private static <T> T on(ExecutorService thread, Callable<T> task) {
        try {
            return thread.submit(task).get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } catch (RejectedExecutionException e) {
            throw new RequestFailure("the session has ended", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RequestFailure("interrupted", e);
        }
    }

    /** Asks the engine something, on its thread: waits while something moves. */
    public <T> T ask(Function<TimeTravel, T> question) {
        return on(thread, () -> question.apply(target.timeTravel().orElseThrow()));
    }

    /** The full id of the recording. */
    public String id() {
        return opened.id();
    }

    /** The path of the executable as the program saw it. */
    public String executable() {
        return on(thread, () -> target.executable(target.current().process()));
    }

    /** Whether the recording ended in order. */
    public boolean complete() {
        return opened.complete();
    }

    /** The port that GDB connects to. */
    int port() {
        return server.port();
    }

    /** What GDB sees. */
    SteeredTarget target() {
        return target;
    }

    /** Ends the replay with all its tasks. */
    @Override
    public void close() {
        target.interrupt();
        server.close();
        target.interrupt();
        thread.submit(target::close);
        thread.close();
    }
}
