package dev.eremite.dap.mi;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A GDB child process that speaks GDB/MI. One reader takes all lines in order; answers are found by their tokens, because a
 * stop may overtake the answer to the command that caused it. Commands may be sent from any thread. The child ends when
 * this process does, however that ends: GDB leaves when its standard input is closed.
 */
public final class MiClient implements AutoCloseable {
    /** Hears what answers no command. Called on the reader's thread, so it must return at once. */
    public interface Listener {
        /** An asynchronous record: the program runs, has stopped, a library was loaded. */
        void happened(MiRecord record);

        /** Text that belongs to no captured command. */
        void said(MiRecord.Kind stream, String text);

        /** GDB has ended; no command is answered any more. */
        void ended();
    }

    private static final int CLOSE_TIMEOUT_MS = 1500;

    private final Process process;
    private final OutputStream commands;
    private final Listener listener;
    private final Map<Long, CompletableFuture<MiValue>> waiting = new ConcurrentHashMap<>();
    private final AtomicLong lastToken = new AtomicLong();
    private final Object captureLock = new Object();
    private StringBuilder capture;
    private volatile boolean ended;

    private volatile Consumer<String> trace = line -> {};

    private MiClient(Process process, Listener listener) {
        this.process = process;
        this.commands = process.getOutputStream();
        this.listener = listener;
    }

    /**
     * Starts GDB.
     *
     * @param builder the command line and the environment
     * @throws IOException if it cannot be started
     */
    public static MiClient start(ProcessBuilder builder, Listener listener) throws IOException {
        MiClient client = new MiClient(builder.redirectErrorStream(true).start(), listener);
        Thread.ofPlatform().name("gdb-mi-reader").daemon().start(client::read);
        return client;
    }

    /** Shows every line from now on, in both directions, to someone who looks for a mistake. From any thread. */
    public void trace(Consumer<String> lines) {
        trace = lines;
    }

    /** Sends a command; the answer comes as results, or as an {@link MiException}. */
    public CompletableFuture<MiValue> send(String command) {
        long token = lastToken.incrementAndGet();
        CompletableFuture<MiValue> answer = new CompletableFuture<>();
        waiting.put(token, answer);
        trace.accept("> " + token + command);
        byte[] line = (token + command.replace('\n', ' ') + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            synchronized (commands) {
                commands.write(line);
                commands.flush();
            }
        } catch (IOException e) {
            ended = true;
        }
        if (ended) {
            waiting.remove(token);
            answer.completeExceptionally(gone());
        }
        return answer;
    }

    /**
     * Sends a command and waits for its answer, however long that takes.
     *
     * @throws MiException when GDB refuses it, or has ended
     */
    public MiValue command(String command) {
        return await(send(command));
    }

    /**
     * Waits for an answer.
     *
     * @throws MiException when GDB refused the command, or has ended
     */
    public static MiValue await(CompletableFuture<MiValue> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof MiException refused) {
                throw new MiException(refused.getMessage());
            }
            throw e;
        }
    }

    /**
     * Runs a command of GDB's console and returns what it printed. Not to be called by two threads at once.
     *
     * @throws MiException when GDB refuses it, or has ended
     */
    public String console(String command) {
        return console("", command);
    }

    /** The same; options, as {@code --thread} and {@code --frame}, say what the command is to mean. */
    public String console(String options, String command) {
        synchronized (captureLock) {
            capture = new StringBuilder();
        }
        try {
            command("-interpreter-exec " + options + " console " + quoted(command));
            return captured();
        } finally {
            synchronized (captureLock) {
                capture = null;
            }
        }
    }

    private String captured() {
        synchronized (captureLock) {
            return capture.toString();
        }
    }

    /** A string as MI writes it. */
    public static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }

    private static MiException gone() {
        return new MiException("gdb has ended");
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                trace.accept(line);
                MiParser.parse(line).ifPresent(this::take);
            }
        } catch (IOException e) {
            // As at its end: nothing more will come.
            process.destroyForcibly();
        }
        ended = true;
        waiting.values().forEach(answer -> answer.completeExceptionally(gone()));
        waiting.clear();
        listener.ended();
    }

    private void take(MiRecord record) {
        switch (record.kind()) {
            case RESULT -> answer(record);
            case EXEC, STATUS, NOTIFY -> listener.happened(record);
            case CONSOLE, TARGET, LOG -> hear(record);
            case PROMPT -> {}
        }
    }

    private void answer(MiRecord record) {
        CompletableFuture<MiValue> answer = waiting.remove(record.token());
        if (answer == null) {
            return;
        }
        if (record.name().equals("error")) {
            answer.completeExceptionally(new MiException(record.value().text("msg")));
        } else {
            answer.complete(record.value());
        }
    }

    private void hear(MiRecord record) {
        synchronized (captureLock) {
            if (capture != null) {
                // The log repeats commands and failures, which are answers already.
                if (record.kind() != MiRecord.Kind.LOG) {
                    capture.append(record.text());
                }
                return;
            }
        }
        listener.said(record.kind(), record.text());
    }

    /** Ends GDB; what waits for an answer fails. */
    @Override
    public void close() {
        send("-gdb-exit");
        try {
            if (!process.waitFor(CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor(CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
