package dev.eremite.dap.protocol;

import dev.eremite.dap.mi.MiException;
import dev.eremite.detcore.UsageException;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.eclipse.lsp4j.jsonrpc.ResponseErrorException;
import org.eclipse.lsp4j.jsonrpc.messages.ResponseError;
import org.eclipse.lsp4j.jsonrpc.messages.ResponseErrorCode;

/** Words failures as responses. */
final class Failures {
    /** The protocol's own word for a request that was cancelled. */
    static final String CANCELLED = "cancelled";

    /** LSP4J words an ordinary CancellationException itself, and not as the protocol asks. */
    static final class Cancelled extends RuntimeException {
        private static final long serialVersionUID = 1;

        Cancelled() {
            super(CANCELLED);
        }
    }

    /** A failure that the client shows where the answer would be, or not at all: a message to the user is too much. */
    static final class InPlace extends RuntimeException {
        private static final long serialVersionUID = 1;

        InPlace(Throwable failure) {
            super(failure);
        }
    }

    private Failures() {}

    static ResponseError error(Throwable failure) {
        return error(failure, true);
    }

    private static ResponseError error(Throwable failure, boolean show) {
        return switch (failure) {
            case CompletionException e when e.getCause() != null -> error(e.getCause(), show);
            case InPlace e -> error(e.getCause(), false);
            case ResponseErrorException e -> e.getResponseError();
            case Cancelled _ -> new ResponseError(ResponseErrorCode.RequestCancelled, CANCELLED, null);
            case UsageException e ->
                shown(
                        e.getMessage() + " (" + e.errorCode().code() + "). " + e.cure(),
                        e.errorCode().code(),
                        show);
            case MiException e -> shown("gdb: " + e.getMessage(), "", show);
            case RequestFailure e -> shown(e.getMessage(), "", show);
            default ->
                shown(
                        "internal error: " + failure.getClass().getSimpleName() + ": " + failure.getMessage(),
                        "E900",
                        show);
        };
    }

    /** The identifier is that of docs/errors.md, as a number. */
    private static ResponseError shown(String text, String code, boolean show) {
        int id = code.isEmpty() ? 0 : Integer.parseInt(code.substring(1));
        // In the format, braces would be places for variables.
        Map<String, Object> error =
                Map.of("id", id, "format", "{text}", "variables", Map.of("text", text), "showUser", show);
        return new ResponseError(ResponseErrorCode.RequestFailed, text, Map.of("error", error));
    }
}
