package dev.eremite.dap.protocol;

import java.lang.reflect.Constructor;
import java.util.Map;
import java.util.Set;
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
    /** What clients ask for by themselves, for their views; by the time it is answered a stop may be over. */
    private static final Set<String> FOR_VIEWS = Set.of(
            "threads",
            "stackTrace",
            "scopes",
            "variables",
            "evaluate",
            "completions",
            "dataBreakpointInfo",
            "exceptionInfo",
            "modules",
            "loadedSources",
            "source");

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
        if (call != null) {
            call.written();
        }
    }

    @Override
    public void notify(String method, Object parameter) {
        // Clients send no events.
    }

    @Override
    public CompletableFuture<?> request(String command, Object arguments) {
        // An expression may call functions of the program.
        Call call = new Call(next, FOR_VIEWS.contains(command) && !command.equals("evaluate"));
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
        initialized = true;
        Object given = entry.arguments() == Void.class ? null : arguments;
        if (entry.lane() == RequestTable.Lane.URGENT) {
            fulfil(entry, given, call);
            return call.answer();
        }
        calls.put(String.valueOf(call.sequence()), call);
        try {
            worker.execute(() -> inTurn(entry, given, call));
        } catch (RejectedExecutionException e) {
            call.answer().completeExceptionally(new RequestFailure("the session has ended", e));
        }
        return FOR_VIEWS.contains(command)
                ? call.answer().exceptionallyCompose(e -> CompletableFuture.failedFuture(new Failures.InPlace(e)))
                : call.answer();
    }

    private void inTurn(RequestTable.Entry<?> entry, Object arguments, Call call) {
        active = call;
        try {
            if (!call.answer().isDone()) {
                fulfil(entry, arguments, call);
            }
            active = null;
            finish(call);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            active = null;
        }
    }

    private void finish(Call call) throws InterruptedException {
        try {
            call.finish();
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
        call.cancel();
        if (active == call) {
            return call.brief() ? null : call;
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
