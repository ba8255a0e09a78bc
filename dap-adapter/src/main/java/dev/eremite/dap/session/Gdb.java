package dev.eremite.dap.session;

import dev.eremite.dap.mi.MiClient;
import dev.eremite.dap.mi.MiException;
import dev.eremite.dap.mi.MiValue;
import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Starts GDB as the adapter needs it. */
final class Gdb {
    private static final List<String> SETTINGS = List.of(
            "mi-async on",
            "confirm off",
            "pagination off",
            "width 0",
            "height 0",
            "breakpoint pending on",
            "print sevenbit-strings off",
            "print thread-events off",
            // On a busy machine the answer to a packet may take longer than the usual two seconds; GDB would lose its
            // place.
            "remotetimeout 600",
            // Who attaches to a port where nobody listens should hear that at once.
            "tcp auto-retry off");

    /** These are refused by versions that do not know them, which is no harm. */
    private static final List<String> WISHES = List.of("debuginfod enabled off", "suppress-cli-notifications on");

    private Gdb() {}

    /**
     * Starts it and makes its settings.
     *
     * @param program the path, or a name to be found in PATH
     * @param environment gives it the user's environment
     */
    static MiClient start(String program, Consumer<Map<String, String>> environment, MiClient.Listener listener) {
        ProcessBuilder builder = new ProcessBuilder(program, "--nx", "--quiet", "--interpreter=mi3");
        environment.accept(builder.environment());
        builder.environment().remove("DEBUGINFOD_URLS");
        try {
            MiClient client = MiClient.start(builder, listener);
            settle(client);
            return client;
        } catch (IOException | MiException e) {
            throw new UsageException(ErrorCode.GDB_NOT_FOUND, program + " cannot be started", e);
        }
    }

    private static void settle(MiClient client) {
        List<CompletableFuture<MiValue>> answers = new ArrayList<>();
        SETTINGS.forEach(setting -> answers.add(client.send("-gdb-set " + setting)));
        WISHES.forEach(wish -> client.send("-gdb-set " + wish));
        answers.add(client.send("-enable-pretty-printing"));
        for (CompletableFuture<MiValue> answer : answers) {
            try {
                MiClient.await(answer);
            } catch (MiException e) {
                client.close();
                throw e;
            }
        }
    }

    /** Whether a path that was given for GDB can be no program. */
    static boolean impossible(String program) {
        return program.contains("/") && !Files.isExecutable(Path.of(program));
    }
}
