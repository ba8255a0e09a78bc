package dev.eremite.dap.protocol;

import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.lsp4j.jsonrpc.json.JsonRpcMethod;

/** The commands that are understood: the type of their arguments and who fulfils them. */
public final class RequestTable {
    /** When a request is fulfilled. */
    public enum Lane {
        /** One after another, in the order in which they come. */
        ORDERED,
        /**
         * In order; clients ask by themselves, for their views. It only looks and is over in a moment, so that nothing has
         * to be interrupted to cancel it, and a failure is shown where the answer would be.
         */
        VIEW,
        /** As {@link #VIEW}, but it may take long: an expression may call functions of the program. */
        EXPRESSION,
        /** At once, on the thread that reads, while others are fulfilled: must not wait for anything. */
        URGENT;

        /** Whether a failure is shown where the answer would be, and not as a message to the user. */
        boolean inPlace() {
            return this == VIEW || this == EXPRESSION;
        }
    }

    /** An entry. */
    record Entry<A>(Class<A> arguments, Lane lane, RequestHandler<A> handler) {
        Object handle(Object given, Call call) {
            return handler.handle(arguments.cast(given), call);
        }
    }

    private final Map<String, Entry<?>> entries = new LinkedHashMap<>();

    /** Adds a command. */
    public <A> RequestTable on(String command, Class<A> arguments, RequestHandler<A> handler) {
        return on(command, arguments, Lane.ORDERED, handler);
    }

    /** Adds a command with its lane. */
    public <A> RequestTable on(String command, Class<A> arguments, Lane lane, RequestHandler<A> handler) {
        if (entries.put(command, new Entry<>(arguments, lane, handler)) != null) {
            throw new IllegalStateException("two handlers for " + command);
        }
        return this;
    }

    Entry<?> find(String command) {
        return entries.get(command);
    }

    Map<String, JsonRpcMethod> methods() {
        Map<String, JsonRpcMethod> methods = new LinkedHashMap<>();
        entries.forEach((command, entry) ->
                methods.put(command, JsonRpcMethod.request(command, Object.class, entry.arguments())));
        return methods;
    }
}
