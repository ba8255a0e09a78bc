package dev.eremite.tests.dap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.Checkout;
import dev.eremite.tests.command.Folders;
import dev.eremite.tests.command.RecordReplay;
import dev.eremite.tests.guest.Guest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Programs that a client has recorded, and what it sees of them. */
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

    @Test
    void shouldGoElsewhereFromABreakpointOfAThread() {
        Path data = RecordReplay.newDataFolder("dap-threads");
        Guest guest = Guest.named("bughunt");
        Path source = Checkout.guests().resolve(guest.source());
        try (DapClient client = new DapClient(data)) {
            client.start(
                    Map.of("program", guest.command().getFirst(), "stopAt", "crash"),
                    () -> client.breakAt(source, guest.line("guilty")));
            // From a worker's breakpoint to where it has ended, and to where it has not begun.
            for (String place : List.of("end", "start")) {
                JsonNode stop = client.move("reverseContinue", 1);
                if (stop.path("reason").asString().equals("exception")) {
                    stop = client.move("reverseContinue", 1);
                }
                assertThat(stop.path("reason").asString()).isEqualTo("breakpoint");
                assertThat(stop.path("threadId").asInt()).isGreaterThan(1);
                client.request("eremite/seek", Map.of("to", place));
                assertThat(client.event("stopped").path("threadId").asInt()).isEqualTo(1);
            }
            assertThat(client.move("continue", 1).path("reason").asString()).isEqualTo("breakpoint");
            assertThat(client.leave()).isZero();
        }
        Folders.delete(data);
    }
}
