package dev.eremite.tests.dap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.Checkout;
import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.command.Folders;
import dev.eremite.tests.command.RecordReplay;
import dev.eremite.tests.guest.Guest;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A second window: two clients look at the same recording at the same time, each at a place of its own. */
@Tag("slow")
@Timeout(120)
class DapWindowsTest {
    private static final Guest GUEST = Guest.named("calls");
    private static final Path SOURCE = Checkout.guests().resolve(GUEST.source());
    private static Path data;

    @BeforeAll
    static void record() {
        data = RecordReplay.newDataFolder("dap-windows");
        new EremiteCommand(data).record(GUEST.command());
    }

    @AfterAll
    static void delete() {
        Folders.delete(data);
    }

    @Test
    void shouldServeTwoAdapters() {
        try (DapClient first = new DapClient(data);
                DapClient second = new DapClient(data)) {
            look(first, second);
            assertThat(first.awaitEnd()).isZero();
            assertThat(second.awaitEnd()).isZero();
        }
    }

    @Test
    void shouldServeTwoClientsOfOneAdapter() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(EremiteCommand.launcher().toString(), "dap", "--port", "0");
        builder.environment().put("EREMITE_DATA_DIR", data.toString());
        Process server = builder.start();
        try (BufferedReader told = server.errorReader()) {
            String line = told.readLine();
            assertThat(line).startsWith("eremite: serving the Debug Adapter Protocol on 127.0.0.1:");
            int port = Integer.parseInt(line.substring(line.lastIndexOf(':') + 1));
            try (DapClient first = new DapClient(server, port);
                    DapClient second = new DapClient(server, port)) {
                look(first, second);
                // Those that come later are served as well.
                try (DapClient third = new DapClient(server, port)) {
                    third.start(Map.of("recording", "latest", "stopAt", "end"), () -> {});
                    third.disconnect();
                    assertThat(server.isAlive()).isTrue();
                }
            }
        } finally {
            Command.endTree(server);
        }
    }

    /** One goes forwards and the other backwards, at the same time; then both leave. */
    private static void look(DapClient first, DapClient second) {
        int name = GUEST.line("name");
        int content = GUEST.line("content");
        first.start(Map.of("recording", "latest"), () -> first.breakAt(SOURCE, name));
        second.start(Map.of("recording", "latest", "stopAt", "end"), () -> second.breakAt(SOURCE, content));
        first.send("continue", Map.of("threadId", 1));
        second.send("reverseContinue", Map.of("threadId", 1));
        first.event("stopped");
        second.event("stopped");
        assertThat(first.line(1)).isEqualTo(name);
        assertThat(second.line(1)).isEqualTo(content);
        assertThat(event(first)).isLessThan(event(second));

        // What one changes, the other does not see.
        assertThat(first.value("factor", 1)).isEqualTo("5");
        first.request("setExpression", Map.of("expression", "factor", "value", "7", "frameId", frame(first)));
        assertThat(first.value("factor", 1)).isEqualTo("7");
        assertThat(second.value("factor", 1)).isEqualTo("5");
        assertThat(checkpoints(first, Map.of("add", "here"))).hasSize(1);
        assertThat(checkpoints(second, Map.of())).isEmpty();

        assertThat(first.move("stepBack", 1).path("reason").asString()).isEqualTo("step");
        first.disconnect();
        assertThat(second.move("reverseContinue", 1).path("description").asString())
                .contains("beginning of the recording");
        second.disconnect();
    }

    private static int frame(DapClient client) {
        return client.top(1).path("id").asInt();
    }

    private static long event(DapClient client) {
        return client.request("eremite/position", Map.of()).path("event").asLong();
    }

    private static List<String> checkpoints(DapClient client, Map<String, ?> arguments) {
        return client.request("eremite/checkpoints", arguments).path("checkpoints").values().stream()
                .map(each -> each.path("name").asString())
                .toList();
    }
}
