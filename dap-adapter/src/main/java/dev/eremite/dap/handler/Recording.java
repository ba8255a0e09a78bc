package dev.eremite.dap.handler;

import dev.eremite.dap.Backend;
import dev.eremite.dap.protocol.Call;
import dev.eremite.dap.protocol.RequestFailure;
import dev.eremite.dap.session.Session;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import org.eclipse.lsp4j.debug.OutputEventArguments;
import org.eclipse.lsp4j.debug.OutputEventArgumentsGroup;

/** Records a program before it is debugged; what it prints meanwhile goes to the client's console. */
final class Recording {
    private static final int LOOK_MS = 50;
    private static final int BUFFER = 8192;
    private static final int END_TIMEOUT_S = 10;

    private final Session session;

    Recording(Session session) {
        this.session = session;
    }

    /** Records; the id of the recording. The program's own failure, or death, is what is to be debugged. */
    String record(LaunchArguments arguments, Call call) {
        Path report = null;
        try {
            report = Files.createTempFile("eremite-dap-", ".json");
            ProcessBuilder builder = session.backend().recorder(program(arguments), report);
            builder.redirectInput(
                    arguments.stdin == null || arguments.stdin.isEmpty()
                            ? ProcessBuilder.Redirect.from(new File("/dev/null"))
                            : ProcessBuilder.Redirect.from(input(arguments)));
            group(OutputEventArgumentsGroup.START, "Recording " + arguments.program + "\n");
            String errors = run(builder, call);
            if (call.cancelled()) {
                throw new CancellationException();
            }
            String id = session.backend().recorded(report);
            if (id.isEmpty()) {
                throw new RequestFailure(errors.isBlank() ? "nothing was recorded" : errors.strip());
            }
            group(OutputEventArgumentsGroup.END, "Recorded as " + id + "\n");
            return id;
        } catch (IOException e) {
            throw new RequestFailure("cannot record " + arguments.program + ": " + e.getMessage(), e);
        } finally {
            delete(report);
        }
    }

    /** As the program would find it. */
    private static File input(LaunchArguments arguments) {
        File file = new File(arguments.stdin);
        boolean elsewhere = arguments.cwd != null && !arguments.cwd.isEmpty() && !file.isAbsolute();
        File found = elsewhere ? new File(arguments.cwd, arguments.stdin) : file;
        if (found.isDirectory()) {
            throw new RequestFailure("stdin: " + found + " is a folder");
        }
        if (!found.canRead()) {
            throw new RequestFailure("stdin: " + found + (found.exists() ? " cannot be read" : " does not exist"));
        }
        return found;
    }

    private static void delete(Path report) {
        try {
            if (report != null) {
                Files.deleteIfExists(report);
            }
        } catch (IOException e) {
            throw new RequestFailure("cannot delete " + report, e);
        }
    }

    private static Backend.Program program(LaunchArguments arguments) {
        return new Backend.Program(
                arguments.program,
                arguments.args == null ? List.of() : arguments.args,
                arguments.env == null ? Map.of() : arguments.env,
                arguments.cwd == null ? "" : arguments.cwd);
    }

    private void group(OutputEventArgumentsGroup group, String text) {
        OutputEventArguments event = new OutputEventArguments();
        event.setCategory("console");
        event.setOutput(text);
        event.setGroup(group);
        session.connection().event("output", event);
    }

    /** Runs to the end, or until the request is cancelled; what was printed to stderr last. */
    private String run(ProcessBuilder builder, Call call) throws IOException {
        Process process = builder.start();
        session.recorder(process);
        StringBuilder errors = new StringBuilder();
        Thread out = Thread.ofPlatform().daemon().start(() -> pass(process.getInputStream(), "stdout", null));
        Thread err = Thread.ofPlatform().daemon().start(() -> pass(process.getErrorStream(), "stderr", errors));
        try {
            while (!process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS)) {
                if (call.cancelled()) {
                    process.destroy();
                    process.waitFor(END_TIMEOUT_S, TimeUnit.SECONDS);
                    process.destroyForcibly();
                }
            }
            out.join(LOOK_MS * 10);
            err.join(LOOK_MS * 10);
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new RequestFailure("interrupted", e);
        } finally {
            session.recorder(null);
        }
        synchronized (errors) {
            return errors.toString();
        }
    }

    private void pass(InputStream stream, String category, StringBuilder kept) {
        char[] buffer = new char[BUFFER];
        // What is read at once may end within a character.
        try (Reader reader = new InputStreamReader(stream, StandardCharsets.UTF_8)) {
            for (int n = reader.read(buffer); n >= 0; n = reader.read(buffer)) {
                String text = new String(buffer, 0, n);
                session.connection().output(category, text);
                if (kept != null) {
                    synchronized (kept) {
                        kept.append(text);
                        kept.delete(0, Math.max(0, kept.length() - BUFFER));
                    }
                }
            }
        } catch (IOException e) {
            session.connection().output("console", "eremite: output is lost: " + e.getMessage() + "\n");
        }
    }
}
