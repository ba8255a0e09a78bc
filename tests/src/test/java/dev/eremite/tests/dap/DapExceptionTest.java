package dev.eremite.tests.dap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.command.Folders;
import dev.eremite.tests.command.RecordReplay;
import dev.eremite.tests.guest.Guest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Stops at exceptions of C++, and what becomes of a session whose gdb dies. */
@Timeout(120)
class DapExceptionTest {
    private static Path data;

    @BeforeAll
    static void record() {
        data = RecordReplay.newDataFolder("dap-exception");
        new EremiteCommand(data).record(Guest.named("except").command());
    }

    @AfterAll
    static void delete() {
        Folders.delete(data);
    }

    @ParameterizedTest
    @CsvSource({
        "throw, std::runtime_error, __cxa_throw",
        "rethrow, C++: thrown again, __cxa_rethrow",
        "catch, C++: caught, __cxa_begin_catch"
    })
    void shouldStopAtExceptionsInBothDirectionsAndAtTheBeginning(String filter, String exception, String function) {
        try (DapClient client = new DapClient(data)) {
            client.start(
                    Map.of("recording", "latest"),
                    () -> client.request("setExceptionBreakpoints", Map.of("filters", List.of(filter))));
            for (String way : List.of("continue", "continue", "reverseContinue")) {
                assertThat(client.move(way, 1).path("reason").asString()).isEqualTo("exception");
                assertThat(client.top(1).path("name").asString()).startsWith(function);
            }
            JsonNode info = client.request("exceptionInfo", Map.of("threadId", 1));
            assertThat(info.path("exceptionId").asString()).isEqualTo(exception);
            assertThat(client.move("reverseContinue", 1).path("reason").asString())
                    .isEqualTo("entry");
            assertThat(client.move("continue", 1).path("reason").asString()).isEqualTo("exception");
            assertThat(client.leave()).isZero();
        }
    }

    @Test
    void shouldEndTheProgressOfASessionThatEnds() {
        Path folder = RecordReplay.newDataFolder("dap-progress");
        try (DapClient client = new DapClient(folder)) {
            List<String> command = Guest.named("longsegment").command();
            client.start(Map.of("program", command.getFirst(), "stopAt", "end"), () -> {});
            // A place that is not written to, so that the whole way is looked through.
            Map<String, Object> nothing = Map.of("dataId", "0x7fffffffe000|8||nothing", "accessType", "write");
            client.request("setDataBreakpoints", Map.of("breakpoints", List.of(nothing)));
            client.request("reverseContinue", Map.of("threadId", 1));
            client.event("progressStart");
            client.process()
                    .descendants()
                    .filter(each -> each.info().command().orElse("").endsWith("/gdb"))
                    .forEach(ProcessHandle::destroyForcibly);
            client.event("progressEnd");
            client.event("terminated");
            assertThat(client.leave()).isZero();
        } finally {
            Folders.delete(folder);
        }
    }
}
