package dev.eremite.tests.dap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.Checkout;
import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.command.Folders;
import dev.eremite.tests.command.RecordReplay;
import dev.eremite.tests.guest.Guest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** A session with a recording, as a client sees it message by message. */
@Timeout(120)
class DapSessionTest {
    private static final Guest GUEST = Guest.named("calls");
    private static final Path SOURCE = Checkout.guests().resolve(GUEST.source());
    private static Path data;

    @BeforeAll
    static void record() {
        data = RecordReplay.newDataFolder("dap");
        new EremiteCommand(data).record(GUEST.command());
    }

    @AfterAll
    static void delete() {
        Folders.delete(data);
    }

    @Test
    void shouldTellThingsInOrder() {
        try (DapClient client = new DapClient(data)) {
            client.start(Map.of("recording", "latest", "stopAt", "main"), () -> {});
            client.move("next", 1);
            client.move("stepBack", 1);
            client.request("eremite/seek", Map.of("to", "end"));
            client.event("stopped");
            client.move("eremite/reverseStepIn", 1);
            List<String> order = new ArrayList<>();
            for (JsonNode message : client.messages()) {
                String name =
                        message.path("command").asString(message.path("event").asString(""));
                if (!name.equals("output") && !name.startsWith("progress")) {
                    order.add(message.path("type").asString() + " " + name);
                }
            }
            assertThat(order)
                    .containsExactly(
                            "response initialize",
                            "response launch",
                            "event initialized",
                            "response configurationDone",
                            "event stopped",
                            "response next",
                            "event stopped",
                            "response stepBack",
                            "event stopped",
                            "response eremite/seek",
                            "event continued",
                            "event stopped",
                            "response eremite/reverseStepIn",
                            "event continued",
                            "event stopped");
            assertThat(client.messages())
                    .extracting(message -> message.path("seq").asInt())
                    .isSorted();
            assertThat(client.leave()).isZero();
        }
    }

    @Test
    void shouldMoveInBothDirectionsAndStopAtTheEnds() {
        try (DapClient client = new DapClient(data)) {
            JsonNode entry = client.start(Map.of("recording", "latest"), () -> {});
            assertThat(entry.path("reason").asString()).isEqualTo("entry");
            int main = client.line(1);
            client.move("next", 1);
            int second = client.line(1);
            assertThat(second).isGreaterThan(main);
            assertThat(client.move("stepBack", 1).path("reason").asString()).isEqualTo("step");
            assertThat(client.line(1)).isEqualTo(main);

            JsonNode end = client.move("continue", 1);
            assertThat(end.path("description").asString()).contains("end of the recording");
            JsonNode start = client.move("reverseContinue", 1);
            assertThat(start.path("description").asString()).contains("beginning of the recording");
            assertThat(client.messages())
                    .extracting(message -> message.path("event").asString(""))
                    .doesNotContain("exited", "terminated");
            client.request("disconnect", Map.of());
            assertThat(client.awaitEnd()).isZero();
        }
    }

    @Test
    void shouldSayWhyAnExpressionHasNoValue() {
        try (DapClient client = new DapClient(data)) {
            client.start(Map.of("recording", "latest"), () -> {});
            assertThat(refused(client, "1 / 0")).contains("Division by zero");
            assertThat(refused(client, "*(int *) 0")).contains("Cannot access memory");
            assertThat(refused(client, "content(0)")).contains("content(0) did not return", "SIGSEGV");
            assertThat(client.event("stopped").path("reason").asString()).isEqualTo("exception");
            client.request("setFunctionBreakpoints", Map.of("breakpoints", List.of(Map.of("name", "scaled"))));
            assertThat(refused(client, "scaled(1, 2)")).contains("scaled(1, 2) did not return", "breakpoint");
            assertThat(client.event("stopped").path("reason").asString()).isEqualTo("function breakpoint");
            assertThat(client.value("length(\"four\")", 1)).isEqualTo("4");
            assertThat(client.leave()).isZero();
        }
    }

    private static String refused(DapClient client, String expression) {
        int frame = client.top(1).path("id").asInt();
        return client.refusal("evaluate", Map.of("expression", expression, "context", "watch", "frameId", frame));
    }

    @Test
    void shouldFindWhoWroteAValue() {
        try (DapClient client = new DapClient(data)) {
            int line = GUEST.line("name");
            client.start(Map.of("recording", "latest"), () -> client.breakAt(SOURCE, line));
            JsonNode stop = client.move("continue", 1);
            assertThat(stop.path("reason").asString()).isEqualTo("breakpoint");
            assertThat(client.line(1)).isEqualTo(line);
            assertThat(client.value("sum", 1)).isEqualTo("75");

            int frame = client.top(1).path("id").asInt();
            JsonNode info = client.request("dataBreakpointInfo", Map.of("name", "sum", "frameId", frame));
            String id = info.path("dataId").asString();
            client.request("setDataBreakpoints", Map.of("breakpoints", List.of(Map.of("dataId", id))));
            JsonNode written = client.move("reverseContinue", 1);
            assertThat(written.path("reason").asString()).isEqualTo("data breakpoint");
            assertThat(client.line(1)).isEqualTo(GUEST.line("round"));
            assertThat(client.value("sum", 1)).isEqualTo("50");
        }
    }
}
