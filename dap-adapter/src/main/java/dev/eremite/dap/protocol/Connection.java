package dev.eremite.dap.protocol;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.eclipse.lsp4j.debug.OutputEventArguments;
import org.eclipse.lsp4j.debug.OutputEventArgumentsCategory;
import org.eclipse.lsp4j.jsonrpc.JsonRpcException;
import org.eclipse.lsp4j.jsonrpc.MessageConsumer;
import org.eclipse.lsp4j.jsonrpc.debug.DebugRemoteEndpoint;
import org.eclipse.lsp4j.jsonrpc.debug.json.DebugMessageJsonHandler;
import org.eclipse.lsp4j.jsonrpc.debug.messages.DebugNotificationMessage;
import org.eclipse.lsp4j.jsonrpc.debug.messages.DebugResponseMessage;
import org.eclipse.lsp4j.jsonrpc.json.StreamMessageConsumer;
import org.eclipse.lsp4j.jsonrpc.json.StreamMessageProducer;
import org.eclipse.lsp4j.jsonrpc.messages.Message;
import org.eclipse.lsp4j.jsonrpc.messages.MessageIssue;
import org.eclipse.lsp4j.jsonrpc.messages.RequestMessage;
import org.eclipse.lsp4j.jsonrpc.messages.ResponseMessage;
import org.eclipse.lsp4j.jsonrpc.validation.ReflectiveMessageValidator;

/** A client's connection: reads its requests until the stream ends, writes responses and events in order. */
public final class Connection {
    // LSP4J logs what clients do wrong, with stack traces; they are told in the protocol instead.
    private static final Logger LSP4J = Logger.getLogger("org.eclipse.lsp4j");

    static {
        LSP4J.setLevel(Level.OFF);
    }

    private final Dispatcher dispatcher;
    private final Reader reader;
    private final DebugRemoteEndpoint endpoint;
    private final MessageConsumer outgoing;
    private int sequence;
    private boolean broken;

    /**
     * A connection that does not read yet.
     *
     * @param table the commands that are understood
     */
    public Connection(InputStream in, OutputStream out, RequestTable table) {
        DebugMessageJsonHandler json = new OrderedJson(table.methods());
        outgoing = new StreamMessageConsumer(out, json);
        dispatcher = new Dispatcher(
                table, text -> output(OutputEventArgumentsCategory.IMPORTANT, "eremite: " + text + "\n"));
        endpoint = new RequestEndpoint();
        json.setMethodProvider(endpoint);
        endpoint.setJsonHandler(json);
        reader = new Reader(in, json, endpoint);
    }

    /** Reads and fulfils requests until the client closes the stream or {@link #stop} is called. */
    public void listen() {
        MessageConsumer valid = new ReflectiveMessageValidator(endpoint);
        try {
            reader.listen(message -> {
                if (message instanceof RequestMessage request) {
                    dispatcher.next(request);
                }
                valid.consume(message);
            });
        } catch (JsonRpcException e) {
            // The client is gone without closing the stream, which is all the same.
            LSP4J.log(Level.FINE, "the connection broke", e);
        } finally {
            dispatcher.close();
        }
    }

    /** Makes {@link #listen} return after the request that is being read. */
    public void stop() {
        reader.close();
    }

    /** The requests in their order. */
    public Dispatcher dispatcher() {
        return dispatcher;
    }

    /** Sends an event. After the client has gone it is dropped. */
    public void event(String name, Object body) {
        endpoint.notify(name, body);
    }

    /** Shows text in the client's console. */
    public void output(String category, String text) {
        OutputEventArguments arguments = new OutputEventArguments();
        arguments.setCategory(category);
        arguments.setOutput(text);
        event("output", arguments);
    }

    private synchronized void write(Message message) {
        try {
            if (!broken) {
                // Numbered here, so that the numbers have the order of the messages.
                sequence++;
                if (message instanceof DebugResponseMessage response) {
                    response.setResponseId(sequence);
                } else if (message instanceof DebugNotificationMessage event) {
                    event.setId(sequence);
                }
                outgoing.consume(message);
            }
        } catch (JsonRpcException e) {
            broken = true;
        } finally {
            if (message instanceof ResponseMessage response) {
                dispatcher.written(response.getId());
            }
        }
    }

    /** Answers requests that cannot be read, in words that name what is wrong. */
    private final class RequestEndpoint extends DebugRemoteEndpoint {
        RequestEndpoint() {
            super(Connection.this::write, dispatcher, Failures::error);
        }

        @Override
        protected void handleRequestIssues(RequestMessage request, List<MessageIssue> issues) {
            RequestFailure failure = new RequestFailure(Arguments.words(request.getMethod(), issues));
            write(createErrorResponseMessage(request, Failures.error(failure)));
        }
    }

    /** Tells the client what it sent that is no message. */
    private final class Reader extends StreamMessageProducer {
        Reader(InputStream in, DebugMessageJsonHandler json, DebugRemoteEndpoint issues) {
            super(in, json, issues);
        }

        @Override
        protected void fireError(Throwable error) {
            String reason =
                    String.valueOf(error.getMessage()).lines().findFirst().orElse("");
            output(OutputEventArgumentsCategory.IMPORTANT, "eremite: not a message: " + reason + "\n");
        }
    }
}
