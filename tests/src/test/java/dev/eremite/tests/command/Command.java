package dev.eremite.tests.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A command with its environment, folder, standard input and deadline. Output goes to files, so that a child that is
 * left behind cannot keep the test waiting. Each setter changes and returns this command.
 */
public final class Command {
    private final List<String> words;
    private final Map<String, String> environment = new LinkedHashMap<>();
    private Path folder;
    private byte[] input = new byte[0];
    private Duration deadline = Duration.ofSeconds(60);

    /** A command of these words, run in the caller's folder with empty standard input and 60 seconds to end. */
    public Command(List<String> words) {
        this.words = List.copyOf(words);
    }

    /** Sets a variable of the environment. */
    public Command with(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** Sets the working folder. */
    public Command in(Path workingFolder) {
        this.folder = workingFolder;
        return this;
    }

    /** Sets what the command reads from its standard input. */
    public Command reading(byte[] bytes) {
        this.input = bytes.clone();
        return this;
    }

    /** Sets how long the command may take. */
    public Command within(Duration limit) {
        this.deadline = limit;
        return this;
    }

    /** The command as a line for a shell. */
    public String line() {
        StringBuilder line = new StringBuilder();
        environment.forEach((name, value) ->
                line.append(name).append('=').append(quoted(value)).append(' '));
        words.forEach(word -> line.append(quoted(word)).append(' '));
        return line.toString().trim();
    }

    /**
     * Starts the command and returns at once; the caller ends it with {@link #endTree}.
     *
     * @param stdout the file for standard output
     * @param stderr the file for standard error
     */
    public Process start(Path stdout, Path stderr) {
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(words).redirectOutput(stdout.toFile()).redirectError(stderr.toFile());
            builder.environment().putAll(environment);
            if (folder != null) {
                builder.directory(folder.toFile());
            }
            if (input.length == 0) {
                return builder.redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                        .start();
            }
            Path stdin = stdout.resolveSibling(stdout.getFileName() + ".input");
            Files.write(stdin, input);
            return builder.redirectInput(stdin.toFile()).start();
        } catch (IOException e) {
            throw new UncheckedIOException(line(), e);
        }
    }

    /**
     * Runs the command to its end.
     *
     * @throws DeadlineExceeded when it takes too long; it and all its descendants have been killed
     */
    public CommandResult run() {
        try {
            Path scratch = Files.createTempDirectory("eremite-command-");
            try {
                return run(scratch.resolve("stdout"), scratch.resolve("stderr"));
            } finally {
                Folders.delete(scratch);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(line(), e);
        }
    }

    private CommandResult run(Path stdout, Path stderr) throws IOException {
        long started = System.nanoTime();
        Process process = start(stdout, stderr);
        boolean ended = false;
        try {
            ended = process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (!ended) {
                endTree(process);
            }
        }
        Duration elapsed = Duration.ofNanos(System.nanoTime() - started);
        byte[] out = Files.readAllBytes(stdout);
        byte[] err = Files.readAllBytes(stderr);
        if (!ended) {
            throw new DeadlineExceeded(line(), deadline, new CommandResult(out, err, -1, elapsed));
        }
        return new CommandResult(out, err, process.exitValue(), elapsed);
    }

    /** Kills a process and all its descendants and waits for its end. */
    public static void endTree(Process process) {
        List<ProcessHandle> tree = new ArrayList<>(process.descendants().toList());
        process.destroyForcibly();
        tree.forEach(ProcessHandle::destroyForcibly);
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String quoted(String word) {
        return word.matches("[\\w./:=@%+,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
