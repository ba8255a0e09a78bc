package dev.eremite.tests.dap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.Folders;
import dev.eremite.tests.command.RecordReplay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs that a client has recorded. */
@Timeout(120)
class DapRecordingTest {
    @Test
    void shouldFindTheInputAndPassTheOutputOn() throws IOException {
        Path data = RecordReplay.newDataFolder("dap-input");
        // Two characters of three bytes each never end where a read of a power of two ends.
        String text = "x" + "€–".repeat(30_000);
        Path folder = Files.createDirectories(data.resolve("folder"));
        Files.writeString(folder.resolve("input"), text);
        try (DapClient client = new DapClient(data)) {
            client.initialize();
            client.request(
                    "launch",
                    Map.of(
                            "program",
                            "/bin/cat",
                            "args",
                            List.of(),
                            "cwd",
                            folder.toString(),
                            "stdin",
                            "input",
                            "noDebug",
                            true));
            client.event("terminated");
            assertThat(client.output("stdout")).isEqualTo(text);
            client.request("disconnect", Map.of());
            assertThat(client.awaitEnd()).isZero();
        }
        Folders.delete(data);
    }
}
