package dev.eremite.dap.session;

import dev.eremite.dap.protocol.Connection;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.eclipse.lsp4j.debug.OutputEventArguments;

/** Shows what the program prints, tied to the event that prints it. */
final class Printing {
    private Printing() {}

    /**
     * Sends an output event; its data names the event.
     *
     * @param event negative for code that runs off the recording
     */
    static void show(Connection connection, int stream, byte[] bytes, long event) {
        OutputEventArguments arguments = new OutputEventArguments();
        arguments.setCategory(stream == 1 ? "stdout" : "stderr");
        arguments.setOutput(new String(bytes, StandardCharsets.UTF_8));
        if (event >= 0) {
            arguments.setData(Map.of("event", event));
        }
        connection.event("output", arguments);
    }
}
