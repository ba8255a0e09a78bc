package dev.eremite.dap.protocol;

import java.lang.reflect.Constructor;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.eclipse.lsp4j.jsonrpc.Endpoint;
import org.eclipse.lsp4j.jsonrpc.messages.RequestMessage;

/**
 * Fulfils requests one after another on a thread of its own, so that the one that reads is free for those that cannot
 * wait: cancel, pause, disconnect. A request's response is on its way before the next request, or event, has its turn.
 */
public final class Dispatcher implements Endpoint {
    private final RequestTable table;
    private final Consumer<String> failed;
    private final Map<String, Call> calls = new ConcurrentHashMap<>();
    private final ExecutorService worker = Executors.newSingleThreadExecutor(
            task -> Thread.ofPlatform().name("dap-requests").daemon().unstarted(task));
    private volatile Call active;
    private int next;
    private boolean initialized;

    /**
     * A dispatcher.
     *
     * @param failed is told of failures that no response can tell of
     */
    Dispatcher(RequestTable table, Consumer<String> failed) {
        this.table = table;
        this.failed = failed;
    }

    /** The request that is about to come; LSP4J does not tell its number with it. */
    void next(RequestMessage request) {
        next = Integer.parseInt(request.getId());
    }

    void written(String id) {
        Call call = calls.remove(id);
        if (call == null) {
            return;
        }
        call.written();
        if (call.lane() == RequestTable.Lane.URGENT) {
            // Nobody waits for this one.
            afterwards(call);
        }
    }

    @Override
    public void notify(String method, Object parameter) {
        // Clients send no events.
    }

    @Override
    public CompletableFuture<?> request(String command, Object arguments) {
        RequestTable.Entry<?> entry = table.find(command);
        if (entry == null) {
            return CompletableFuture.failedFuture(new RequestFailure("the request " + command + " is not supported"));
        }
        if (!initialized && !command.equals("initialize") && !command.equals("disconnect")) {
            return CompletableFuture.failedFuture(new RequestFailure("initialize has to come first"));
        }
        if (arguments == null && entry.arguments() != Void.class) {
            try {
                // Where the protocol lets them be left out, or none is required, empty ones mean the same.
                Constructor<?> empty = entry.arguments().getDeclaredConstructor();
                empty.setAccessible(true);
                arguments = empty.newInstance();
            } catch (ReflectiveOperationException e) {
                return CompletableFuture.failedFuture(new RequestFailure(command + " needs arguments", e));
            }
        }
        Optional<String> missing = Arguments.missing(arguments);
        if (missing.isPresent()) {
            return CompletableFuture.failedFuture(new RequestFailure(Arguments.wordMissing(command, missing.get())));
        }
        initialized = true;
        Object given = entry.arguments() == Void.class ? null : arguments;
        Call call = new Call(next, entry.lane());
        calls.put(String.valueOf(call.sequence()), call);
        if (entry.lane() == RequestTable.Lane.URGENT) {
            fulfil(entry, given, call);
            return call.answer();
        }
        try {
            worker.execute(() -> inTurn(entry, given, call));
        } catch (RejectedExecutionException e) {
            call.answer().completeExceptionally(new RequestFailure("the session has ended", e));
        }
        return entry.lane().inPlace()
                ? call.answer().exceptionallyCompose(e -> CompletableFuture.failedFuture(new Failures.InPlace(e)))
                : call.answer();
    }

    private void inTurn(RequestTable.Entry<?> entry, Object arguments, Call call) {
        if (!begin(call)) {
            return;
        }
        try {
            fulfil(entry, arguments, call);
            active = null;
            if (call.awaitWritten()) {
                afterwards(call);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            active = null;
        }
    }

    /** Makes it the one that is being fulfilled, unless it has been cancelled. */
    private synchronized boolean begin(Call call) {
        if (call.cancelled()) {
            return false;
        }
        active = call;
        return true;
    }

    private void afterwards(Call call) {
        try {
            call.runAfterwards();
        } catch (RuntimeException e) {
            failed.accept(Failures.error(e).getMessage());
        }
    }

    private static void fulfil(RequestTable.Entry<?> entry, Object arguments, Call call) {
        try {
            Object body = entry.handle(arguments, call);
            call.answer().complete(body);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            call.answer().completeExceptionally(call.cancelled() ? new Failures.Cancelled() : e);
        }
    }

    /** Has a task done in turn with the requests; dropped when the session has ended. */
    public void inTurn(Runnable task) {
        try {
            worker.execute(() -> {
                try {
                    task.run();
                } catch (RuntimeException e) {
                    failed.accept(Failures.error(e).getMessage());
                }
            });
        } catch (RejectedExecutionException e) {
            // What happens after the end concerns nobody.
            active = null;
        }
    }

    /**
     * Cancels a request that has not been answered.
     *
     * @return the call if it is the one being fulfilled just now and has to be interrupted; else null
     */
    public Call cancel(int sequence) {
        Call call = calls.get(String.valueOf(sequence));
        if (call == null) {
            return null;
        }
        synchronized (this) {
            call.cancel();
            if (active == call) {
                return call.lane() == RequestTable.Lane.VIEW ? null : call;
            }
        }
        call.answer().completeExceptionally(new Failures.Cancelled());
        return null;
    }

    /** Whether a request is being fulfilled. */
    public boolean busy() {
        return active != null;
    }

    void close() {
        worker.shutdown();
    }
}
