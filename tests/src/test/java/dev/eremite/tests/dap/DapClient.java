package dev.eremite.tests.dap;

import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.EremiteCommand;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * A bare client of the Debug Adapter Protocol: frames of JSON on the standard streams of the real {@code eremite dap}, or
 * on a connection to one that serves a port.
 */
final class DapClient implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;
    private final InputStream in;
    private final OutputStream out;
    private final List<JsonNode> received = new ArrayList<>();
    private Duration deadline = Duration.ofSeconds(60);
    private int sequence;
    private int seen;
    private boolean ended;

    /** Starts the adapter, with recordings in a folder. */
    DapClient(Path data) {
        ProcessBuilder builder = new ProcessBuilder(EremiteCommand.launcher().toString(), "dap");
        builder.environment().put("EREMITE_DATA_DIR", data.toString());
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        in = new BufferedInputStream(process.getInputStream());
        out = process.getOutputStream();
        Thread.ofPlatform().name("dap-client").daemon().start(this::read);
    }

    /**
     * Connects to an adapter that serves a port.
     *
     * @param server the adapter, which others may be connected to as well; {@link #close} ends it
     */
    DapClient(Process server, int port) {
        process = server;
        try {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            in = new BufferedInputStream(socket.getInputStream());
            out = socket.getOutputStream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofPlatform().name("dap-client").daemon().start(this::read);
    }

    /** Sets how long each wait may take. */
    DapClient within(Duration limit) {
        deadline = limit;
        return this;
    }

    private void read() {
        try (in) {
            for (int length = header(in); length >= 0; length = header(in)) {
                JsonNode message = JSON.readTree(in.readNBytes(length));
                synchronized (received) {
                    received.add(message);
                    received.notifyAll();
                }
            }
        } catch (IOException e) {
            // As at the end of the stream.
            process.destroy();
        }
        synchronized (received) {
            ended = true;
            received.notifyAll();
        }
    }

    /** The length of the next message; negative at the end of the stream. */
    private static int header(InputStream in) throws IOException {
        int length = -1;
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0; c = in.read()) {
            if (c != '\n') {
                line.append((char) c);
                continue;
            }
            String text = line.toString().strip();
            if (text.isEmpty()) {
                return length;
            }
            if (!text.startsWith("Content-Length: ")) {
                throw new IOException("not a header of a message: " + text);
            }
            length = Integer.parseInt(text.substring("Content-Length: ".length()));
            line.setLength(0);
        }
        return -1;
    }

    /** Sends bytes as they are. */
    void sendRaw(byte[] bytes) {
        try {
            out.write(bytes);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a text in a frame. */
    void sendFramed(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        sendRaw(("Content-Length: " + bytes.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        sendRaw(bytes);
    }

    /** Sends a request; its number. */
    int send(String command, Map<String, ?> arguments) {
        int number = ++sequence;
        sendFramed(JSON.writeValueAsString(
                Map.of("seq", number, "type", "request", "command", command, "arguments", arguments)));
        return number;
    }

    /** Sends a request, waits for its response, and returns its body. */
    JsonNode request(String command, Map<String, ?> arguments) {
        JsonNode response = response(send(command, arguments));
        if (!response.path("success").asBoolean()) {
            throw new AssertionError(command + " was refused: " + response);
        }
        return response.path("body");
    }

    /** Sends a request that is refused; the text that the user is shown. */
    String refusal(String command, Map<String, ?> arguments) {
        JsonNode response = response(send(command, arguments));
        if (response.path("success").asBoolean()) {
            throw new AssertionError(command + " was not refused: " + response);
        }
        return response.path("message").asString();
    }

    /** The response to a request. */
    JsonNode response(int number) {
        return await(message -> message.path("request_seq").asInt() == number, 0, "the response to " + number);
    }

    /** The next event of a name that has not been asked for. */
    JsonNode event(String name) {
        JsonNode found = await(message -> message.path("event").asString("").equals(name), seen, "the event " + name);
        synchronized (received) {
            seen = received.indexOf(found) + 1;
        }
        return found.path("body");
    }

    private JsonNode await(Predicate<JsonNode> wanted, int from, String what) {
        long end = System.nanoTime() + deadline.toNanos();
        int at = from;
        synchronized (received) {
            while (true) {
                for (; at < received.size(); at++) {
                    if (wanted.test(received.get(at))) {
                        return received.get(at);
                    }
                }
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (ended || left <= 0) {
                    throw new AssertionError((ended ? "the adapter ended before " : "no time for ") + what
                            + "; the last messages:\n" + last());
                }
                try {
                    received.wait(left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new AssertionError("interrupted before " + what, e);
                }
            }
        }
    }

    private String last() {
        StringBuilder text = new StringBuilder();
        received.subList(Math.max(0, received.size() - 20), received.size())
                .forEach(message -> text.append(message).append('\n'));
        return text.toString();
    }

    /** All messages so far, in order. */
    List<JsonNode> messages() {
        synchronized (received) {
            return List.copyOf(received);
        }
    }

    /** What the program, or the adapter, has printed so far in a category. */
    String output(String category) {
        StringBuilder text = new StringBuilder();
        for (JsonNode message : messages()) {
            JsonNode body = message.path("body");
            if (message.path("event").asString("").equals("output")
                    && body.path("category").asString("").equals(category)) {
                text.append(body.path("output").asString());
            }
        }
        return text.toString();
    }

    /** Does what a client does up to the launch. */
    void initialize() {
        request("initialize", Map.of("adapterID", "eremite", "linesStartAt1", true, "supportsProgressReporting", true));
    }

    /**
     * Does what a client does until the program is shown first.
     *
     * @param configure what it sets before that
     * @return the body of the first stop
     */
    JsonNode start(Map<String, ?> launch, Runnable configure) {
        initialize();
        int number = send("launch", launch);
        event("initialized");
        configure.run();
        request("configurationDone", Map.of());
        if (!response(number).path("success").asBoolean()) {
            throw new AssertionError("launch was refused: " + response(number));
        }
        return event("stopped");
    }

    /** Sets breakpoints at lines of a file; the response's body. */
    JsonNode breakAt(Path source, Integer... lines) {
        List<Map<String, Integer>> breakpoints =
                List.of(lines).stream().map(line -> Map.of("line", line)).toList();
        return request(
                "setBreakpoints", Map.of("source", Map.of("path", source.toString()), "breakpoints", breakpoints));
    }

    /** Moves, and waits for the stop; its body. */
    JsonNode move(String command, int thread) {
        request(command, Map.of("threadId", thread));
        return event("stopped");
    }

    /** The innermost frame of a thread. */
    JsonNode top(int thread) {
        return request("stackTrace", Map.of("threadId", thread, "levels", 1))
                .path("stackFrames")
                .path(0);
    }

    /** The line of the innermost frame of a thread. */
    int line(int thread) {
        return top(thread).path("line").asInt();
    }

    /** The value of an expression in the innermost frame of a thread. */
    String value(String expression, int thread) {
        return request(
                        "evaluate",
                        Map.of(
                                "expression",
                                expression,
                                "frameId",
                                top(thread).path("id").asInt(),
                                "context",
                                "watch"))
                .path("result")
                .asString();
    }

    /** The process of the adapter. */
    Process process() {
        return process;
    }

    /** Disconnects, and waits until the adapter has closed its side. */
    void disconnect() {
        request("disconnect", Map.of());
        long end = System.nanoTime() + deadline.toNanos();
        synchronized (received) {
            while (!ended) {
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0) {
                    throw new AssertionError("the adapter does not close the connection");
                }
                try {
                    received.wait(left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new AssertionError("interrupted", e);
                }
            }
        }
    }

    /** Closes the adapter's input and waits for its end; its exit status. */
    int leave() {
        try {
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return awaitEnd();
    }

    /** Waits for the adapter's end; its exit status. */
    int awaitEnd() {
        try {
            if (!process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("the adapter does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        Command.endTree(process);
    }
}
