package dev.eremite.cli.command;

import dev.eremite.cli.engine.DebugOptions;
import dev.eremite.cli.engine.Engine;
import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;
import dev.eremite.gdb.GdbServer;
import dev.eremite.replay.debug.DebugTarget;
import dev.eremite.replay.store.Recording;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A replay that is served to debuggers on the loopback interface. */
final class DebugService implements AutoCloseable {
    private final ExecutorService replayThread;
    private final DebugTarget target;
    private final GdbServer server;

    private DebugService(ExecutorService replayThread, DebugTarget target, GdbServer server) {
        this.replayThread = replayThread;
        this.target = target;
        this.server = server;
    }

    /**
     * Opens the recording and listens.
     *
     * @param options what to show first
     * @param port 1…65535, or 0 for any free one
     * @throws UsageException E114 if the port cannot be had, or what the engine says
     */
    static DebugService start(Engine engine, Recording recording, DebugOptions options, int port) {
        // The kernel takes ptrace requests from one thread alone, so one thread owns the replay.
        ExecutorService replayThread = Executors.newSingleThreadExecutor(
                task -> Thread.ofPlatform().name("replay").daemon().unstarted(task));
        DebugTarget target = onThread(replayThread, () -> engine.debug(recording, options));
        try {
            return new DebugService(replayThread, target, GdbServer.start(target, replayThread, port));
        } catch (IOException e) {
            replayThread.submit(target::close);
            replayThread.shutdown();
            throw new UsageException(ErrorCode.PORT, e.getMessage(), e);
        }
    }

    /** The command line, without the program, that makes gdb connect. */
    List<String> connecting() {
        return List.of("-ex", "target extended-remote 127.0.0.1:" + server.port());
    }

    @Override
    public void close() {
        target.interrupt();
        server.close();
        replayThread.submit(target::close);
        replayThread.close();
    }

    private static <T> T onThread(ExecutorService thread, Callable<T> task) {
        try {
            return thread.submit(task).get();
        } catch (ExecutionException e) {
            thread.shutdown();
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
