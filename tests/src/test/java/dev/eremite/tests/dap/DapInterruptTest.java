package dev.eremite.tests.dap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.Checkout;
import dev.eremite.tests.command.Folders;
import dev.eremite.tests.command.RecordReplay;
import dev.eremite.tests.guest.Guest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Requests that stop a movement which gdb stops and goes on with by itself. */
@Tag("slow")
@Timeout(120)
class DapInterruptTest {
    private static Path data;

    @BeforeAll
    static void folder() {
        data = RecordReplay.newDataFolder("dap-interrupt");
    }

    @AfterAll
    static void delete() {
        Folders.delete(data);
    }

    /** Gdb evaluates the condition itself, and goes on by itself after each stop. */
    @Test
    void shouldStopSoonWhereGdbEvaluatesACondition() {
        try (DapClient client = new DapClient(data).within(Duration.ofSeconds(15))) {
            Guest guest = Guest.named("million");
            List<String> command = guest.command();
            Path source = Checkout.guests().resolve(guest.source());
            Map<String, Object> place = Map.of("line", guest.line("million"), "condition", "$_streq(\"a\", \"b\")");
            client.start(
                    Map.of("program", command.getFirst(), "args", command.subList(1, command.size())),
                    () -> client.request(
                            "setBreakpoints",
                            Map.of("source", Map.of("path", source.toString()), "breakpoints", List.of(place))));
            for (String way : List.of("pause", "cancel", "pause")) {
                int number = client.send("continue", Map.of("threadId", 1));
                client.response(number);
                client.event("progressStart");
                client.request(way, way.equals("pause") ? Map.of("threadId", 1) : Map.of("requestId", number));
                JsonNode stop = client.event("stopped");
                assertThat(stop.path("reason").asString()).isEqualTo("pause");
            }
            client.request("continue", Map.of("threadId", 1));
            client.event("progressStart");
            client.request("restart", Map.of());
            assertThat(client.event("stopped").path("reason").asString()).isEqualTo("entry");
            assertThat(client.leave()).isZero();
        }
    }
}
