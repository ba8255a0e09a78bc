package dev.eremite.tests.mi;

import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.EremiteCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code eremite replay ID --gdbserver --gdbserver-port 0}, running until closed. */
public final class ReplayServer implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("(?:127\\.0\\.0\\.1|localhost|\\[::1\\]):(\\d+)");

    private final Process process;
    private final Path folder;
    private final Path errors;
    private final Path output;
    private final String address;

    /**
     * Starts a server and waits until it has printed the GDB command.
     *
     * @throws AssertionError when it ends, or has not printed an address after the deadline
     */
    public ReplayServer(EremiteCommand eremite, String id, Duration deadline) {
        try {
            folder = Files.createTempDirectory("eremite-server-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        output = folder.resolve("stdout");
        errors = folder.resolve("stderr");
        Command command = eremite.command(List.of("replay", id, "--gdbserver", "--gdbserver-port", "0"));
        process = command.start(output, errors);
        address = awaitAddress(deadline, command.line());
    }

    /** Where to connect: HOST:PORT. */
    public String address() {
        return address;
    }

    /** The server's process. */
    public Process process() {
        return process;
    }

    /** What the server has printed to standard output and standard error. */
    public String printed() {
        try {
            return Files.readString(output) + Files.readString(errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        Command.endTree(process);
        dev.eremite.tests.command.Folders.delete(folder);
    }

    private String awaitAddress(Duration deadline, String line) {
        long end = System.nanoTime() + deadline.toNanos();
        while (System.nanoTime() < end) {
            String printed = printed();
            Matcher matcher = ADDRESS.matcher(printed);
            // Only a whole line holds the whole port.
            if (matcher.find() && printed.indexOf('\n', matcher.end()) >= 0) {
                return matcher.group();
            }
            if (!process.isAlive()) {
                close();
                throw new AssertionError("status " + process.exitValue() + " of " + line + "\n" + printed);
            }
            java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
        }
        String printed = printed();
        close();
        throw new AssertionError("no address within " + deadline + " from " + line + "\n" + printed);
    }
}
