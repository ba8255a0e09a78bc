package dev.eremite.tests.mi;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A real GDB, driven over GDB/MI. One reader thread takes all lines in order; answers are found by their token and stops
 * are queued, because a stop may overtake the answer to the command that caused it. Every wait has a deadline.
 */
public final class GdbMi implements AutoCloseable {
    private static final int TRANSCRIPT_LINES = 60;

    private final Process process;
    private final OutputStream commands;
    private final Map<Long, MiRecord> answers = new HashMap<>();
    private final Deque<MiStop> stops = new ArrayDeque<>();
    private final Deque<String> transcript = new ArrayDeque<>();
    private final StringBuilder console = new StringBuilder();
    private Duration deadline = Duration.ofSeconds(30);
    private long lastToken;
    private boolean ended;

    /** Starts {@code gdb --interpreter=mi3} on a program; {@code $EREMITE_TEST_GDB} may name another GDB. */
    public GdbMi(List<String> program) {
        String chosen = System.getenv("EREMITE_TEST_GDB");
        List<String> words = new ArrayList<>(
                List.of(chosen == null ? "gdb" : chosen, "--nx", "--quiet", "--interpreter=mi3", "--args"));
        words.addAll(program);
        try {
            ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
            builder.environment().remove("DEBUGINFOD_URLS");
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        commands = process.getOutputStream();
        Thread reader = new Thread(this::read, "gdb-mi-reader");
        reader.setDaemon(true);
        reader.start();
        for (String setting : List.of(
                "mi-async on",
                "confirm off",
                "pagination off",
                "breakpoint pending on",
                "width 0",
                "height 0",
                "remotetimeout 60")) {
            command("-gdb-set " + setting);
        }
        // A native inferior would write into the middle of GDB's lines.
        command("-inferior-tty-set /dev/null");
    }

    /** Sets how long each following command and stop may take. */
    public GdbMi within(Duration limit) {
        this.deadline = limit;
        return this;
    }

    /**
     * Sends an MI command and returns the results of its answer.
     *
     * @throws MiError when GDB answers with an error or not in time
     */
    public MiValue command(String command) {
        MiRecord answer = send(command);
        if (answer.name().equals("error")) {
            throw failure(command + ": " + answer.value().text("msg"));
        }
        return answer.value();
    }

    /** Sends an MI command whose failure is an ordinary outcome; returns GDB's message, empty on success. */
    public String attempt(String command) {
        MiRecord answer = send(command);
        return answer.name().equals("error") ? answer.value().text("msg") : "";
    }

    /** Runs a command of the GDB console and returns what it printed. */
    public String console(String command) {
        synchronized (answers) {
            console.setLength(0);
        }
        command("-interpreter-exec console " + quoted(command));
        synchronized (answers) {
            return console.toString();
        }
    }

    /** Sends a command that resumes the target and waits for the stop. */
    public MiStop resume(String command) {
        synchronized (answers) {
            stops.clear();
        }
        command(command);
        return awaitStop();
    }

    /** As {@link #resume}, for a command that GDB may refuse; empty when it did. */
    public Optional<MiStop> tryToResume(String command) {
        synchronized (answers) {
            stops.clear();
        }
        return attempt(command).isEmpty() ? Optional.of(awaitStop()) : Optional.empty();
    }

    /** Waits for the next stop. */
    public MiStop awaitStop() {
        long end = System.nanoTime() + deadline.toNanos();
        synchronized (answers) {
            while (stops.isEmpty()) {
                await(end, "a stop");
            }
            return stops.poll();
        }
    }

    /**
     * Sends a command that resumes the target, waits until it has run for a while without a stop, interrupts it, and
     * waits for the stop that follows.
     *
     * @param running how long to let it run
     * @return the time from the interrupt to the stop; empty when it stopped by itself before
     */
    public Optional<Duration> interrupted(String command, Duration running) {
        synchronized (answers) {
            stops.clear();
        }
        command(command);
        long end = System.nanoTime() + running.toNanos();
        synchronized (answers) {
            while (stops.isEmpty() && System.nanoTime() < end && !ended) {
                await(end + TimeUnit.SECONDS.toNanos(1), "the time to interrupt", end);
            }
            if (!stops.isEmpty()) {
                stops.clear();
                return Optional.empty();
            }
        }
        long sent = System.nanoTime();
        command("-exec-interrupt");
        awaitStop();
        return Optional.of(Duration.ofNanos(System.nanoTime() - sent));
    }

    /** The value of an expression in the selected frame. */
    public String evaluate(String expression) {
        return command("-data-evaluate-expression " + quoted(expression)).text("value");
    }

    /** Ends GDB, and with it a native inferior. */
    @Override
    public void close() {
        try {
            synchronized (answers) {
                if (!ended) {
                    commands.write("-gdb-exit\n".getBytes(StandardCharsets.UTF_8));
                    commands.flush();
                }
            }
            if (!process.waitFor(3, TimeUnit.SECONDS)) {
                dev.eremite.tests.command.Command.endTree(process);
            }
        } catch (IOException e) {
            dev.eremite.tests.command.Command.endTree(process);
        } catch (InterruptedException e) {
            dev.eremite.tests.command.Command.endTree(process);
            Thread.currentThread().interrupt();
        }
    }

    /** The last lines that went to and came from GDB. */
    public String transcript() {
        synchronized (answers) {
            return String.join("\n", transcript);
        }
    }

    /** A string as MI writes it. */
    public static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private MiRecord send(String command) {
        long token;
        long end = System.nanoTime() + deadline.toNanos();
        synchronized (answers) {
            token = ++lastToken;
            note("> " + command);
        }
        try {
            commands.write((token + command + "\n").getBytes(StandardCharsets.UTF_8));
            commands.flush();
        } catch (IOException e) {
            throw failure(command + ": " + e.getMessage());
        }
        synchronized (answers) {
            while (!answers.containsKey(token)) {
                await(end, "an answer to " + command);
            }
            return answers.remove(token);
        }
    }

    private void await(long end, String what) {
        await(end, what, end);
    }

    private void await(long end, String what, long wake) {
        long left = TimeUnit.NANOSECONDS.toMillis(wake - System.nanoTime()) + 1;
        if (System.nanoTime() >= end || ended) {
            throw failure((ended ? "GDB ended before " : deadline.toMillis() + " ms without ") + what);
        }
        try {
            answers.wait(left);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure("interrupted before " + what);
        }
    }

    private MiError failure(String message) {
        return new MiError(message + "\nThe end of the conversation:\n" + transcript());
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line; (line = lines.readLine()) != null; ) {
                accept(line);
            }
        } catch (IOException e) {
            synchronized (answers) {
                note("< " + e);
            }
        } finally {
            synchronized (answers) {
                ended = true;
                answers.notifyAll();
            }
        }
    }

    private void accept(String line) {
        synchronized (answers) {
            note("< " + line);
            MiRecord parsed = MiParser.parse(line).orElse(null);
            if (parsed == null) {
                return;
            }
            switch (parsed.kind()) {
                case RESULT -> answers.put(parsed.token(), parsed);
                case EXEC -> {
                    if (parsed.name().equals("stopped")) {
                        stops.add(MiStop.of(parsed.value()));
                    }
                }
                case CONSOLE, TARGET -> console.append(((MiValue.Text) parsed.value()).text());
                case STATUS, NOTIFY, LOG, PROMPT -> {}
            }
            answers.notifyAll();
        }
    }

    private void note(String line) {
        transcript.add(line.length() > 600 ? line.substring(0, 600) + "…" : line);
        if (transcript.size() > TRANSCRIPT_LINES) {
            transcript.remove();
        }
    }
}
