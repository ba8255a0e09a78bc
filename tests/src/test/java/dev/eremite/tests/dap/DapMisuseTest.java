package dev.eremite.tests.dap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.Checkout;
import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.command.Folders;
import dev.eremite.tests.command.RecordReplay;
import dev.eremite.tests.guest.Guest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Clients that do what they should not, and surroundings that lack what is needed. */
@Tag("slow")
@Timeout(240)
class DapMisuseTest {
    private static final Guest GUEST = Guest.named("calls");
    private static final Path SOURCE = Checkout.guests().resolve(GUEST.source());
    private static final int FUZZED = Integer.getInteger("eremite.tests.dapMessages", 300);
    private static Path data;

    @BeforeAll
    static void record() {
        data = RecordReplay.newDataFolder("dap-misuse");
        new EremiteCommand(data).record(GUEST.command());
    }

    @AfterAll
    static void delete() {
        Folders.delete(data);
    }

    @Test
    void shouldRefuseWhatCannotBeLaunched() throws InterruptedException {
        try (DapClient client = new DapClient(data)) {
            assertThat(client.refusal("threads", Map.of())).contains("initialize has to come first");
            client.initialize();
            assertThat(client.refusal("initialize", Map.of("adapterID", "x"))).contains("comes once");
            assertThat(client.refusal("threads", Map.of())).contains("launch or attach first");
            assertThat(client.refusal("launch", Map.of("recording", "nonsense")))
                    .contains("nonsense", "(E205)");
            assertThat(client.refusal("launch", Map.of("program", "/nonsense"))).contains("/nonsense", "E101");
            assertThat(client.refusal("launch", Map.of("recording", "latest", "gdbPath", "/nonsense/gdb")))
                    .contains("/nonsense/gdb cannot be started (E107)");
            assertThat(client.refusal("launch", Map.of("recording", "latest", "gdbPath", "no-such-gdb")))
                    .contains("(E107)");
            // A program that is no gdb.
            assertThat(client.refusal("launch", Map.of("recording", "latest", "gdbPath", "/bin/false")))
                    .contains("(E107)");
            assertThat(client.refusal(
                            "launch", Map.of("recording", "latest", "setupCommands", List.of("no-such-command"))))
                    .contains("no-such-command");
            assertThat(client.refusal("launch", Map.of("recording", "latest", "setupCommands", List.of("quit"))))
                    .contains("gdb has ended");
            assertThat(client.refusal("launch", Map.of("recording", "latest", "stopAt", "nowhere")))
                    .contains("stopAt");
            assertThat(client.refusal("launch", Map.of("recording", "latest", "program", "/bin/true")))
                    .contains("not both");
            assertThat(client.refusal("launch", Map.of("recording", "latest", "process", 99)))
                    .contains("E117");
            assertThat(client.refusal("launch", Map.of("recording", List.of(1))))
                    .isEqualTo("launch: arguments.recording: expected a string but was an array");
            assertThat(client.refusal("launch", Map.of("program", "/bin/cat", "stdin", "/nonsense")))
                    .isEqualTo("stdin: /nonsense does not exist");
            assertThat(client.refusal("launch", Map.of("program", "/bin/cat", "stdin", "/")))
                    .isEqualTo("stdin: / is a folder");
            assertThat(client.refusal("attach", Map.of("port", freePort()))).contains("onnection refused");
            assertThat(client.refusal("attach", Map.of("port", 0))).contains("port");
            // Nothing of all that is left.
            assertEnded(client.process().descendants().toList());
            assertThat(client.messages())
                    .extracting(message -> message.path("event").asString(""))
                    .doesNotContain("terminated");
            // After all that it works.
            client.request("launch", Map.of("recording", "latest"));
            client.event("initialized");
            client.request("configurationDone", Map.of());
            client.event("stopped");
            assertThat(client.leave()).isZero();
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void shouldAnswerWhatIsNoMessage() {
        try (DapClient client = new DapClient(data)) {
            client.sendFramed("{\"seq\": ");
            assertThat(client.event("output").path("output").asString()).contains("not a message");
            client.sendFramed("[1, 2]");
            client.event("output");
            client.sendRaw("Nonsense: 1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            client.event("output");
            client.initialize();
            assertThat(client.refusal("nonsense", Map.of())).contains("nonsense is not supported");
            assertThat(client.refusal("setBreakpoints", Map.of()))
                    .isEqualTo("setBreakpoints: arguments.source is missing");
            assertThat(client.refusal(
                            "setBreakpoints",
                            Map.of("source", Map.of("path", "/x.c"), "breakpoints", Collections.singletonList(null))))
                    .isEqualTo("setBreakpoints: arguments.breakpoints[0] is missing");
            assertThat(client.refusal("setFunctionBreakpoints", Map.of("breakpoints", List.of(Map.of()))))
                    .isEqualTo("setFunctionBreakpoints: arguments.breakpoints[0].name is missing");
            assertThat(client.refusal("next", Map.of("threadId", "one")))
                    .isEqualTo("next: arguments.threadId: expected an int but was one");
            // Members in any order: the request is known by a number that comes last.
            client.sendFramed(
                    "{\"type\":\"request\",\"command\":\"next\",\"arguments\":{\"threadId\":[]},\"seq\":900}");
            assertThat(client.response(900).path("message").asString()).contains("arguments.threadId: expected");
            assertThat(client.leave()).isZero();
        }
    }

    @Test
    void shouldShowACrashAndTellOfItsSignal() {
        try (DapClient client = new DapClient(data)) {
            List<String> die = Guest.named("die-segv").command();
            JsonNode stop = client.start(
                    Map.of("program", die.getFirst(), "args", die.subList(1, die.size()), "stopAt", "crash"), () -> {});
            assertThat(stop.path("reason").asString()).isEqualTo("exception");
            JsonNode info = client.request("exceptionInfo", Map.of("threadId", 1));
            assertThat(info.path("exceptionId").asString()).startsWith("SIG");
            assertThat(client.move("continue", 1).path("text").asString()).contains("killed by signal");
            assertThat(client.leave()).isZero();
        }
    }

    @Test
    void shouldTellAProgramsOwnInterruptFromTheClients() {
        try (DapClient client = new DapClient(data)) {
            JsonNode stop = client.start(
                    Map.of("program", "/bin/sh", "args", List.of("-c", "kill -INT $$"), "stopAt", "crash"), () -> {});
            assertThat(stop.path("reason").asString()).isEqualTo("exception");
            assertThat(stop.path("text").asString()).startsWith("SIGINT");
            JsonNode info = client.request("exceptionInfo", Map.of("threadId", 1));
            assertThat(info.path("exceptionId").asString()).isEqualTo("SIGINT");
            assertThat(client.move("continue", 1).path("text").asString()).contains("killed by signal");
            assertThat(client.move("reverseContinue", 1).path("text").asString())
                    .startsWith("SIGINT");
            assertThat(client.leave()).isZero();
        }
    }

    @Test
    void shouldKeepBreakpointsWhereAMovementIsRefused() {
        try (DapClient client = new DapClient(data)) {
            client.start(Map.of("recording", "latest"), () -> {});
            int line = GUEST.line("name");
            client.breakAt(SOURCE, line);
            Map<String, Object> place = Map.of("source", Map.of("path", SOURCE.toString()), "line", line);
            int target = client.request("gotoTargets", place)
                    .path("targets")
                    .path(0)
                    .path("id")
                    .asInt();
            String before = breakpoints(client);
            assertThat(before).contains("keep y");
            console(client, "disconnect");
            assertThat(client.refusal("goto", Map.of("threadId", 1, "targetId", target)))
                    .contains("gdb: ");
            assertThat(breakpoints(client)).isEqualTo(before);
            assertThat(client.leave()).isZero();
        }
    }

    @Test
    void shouldEndARecordingThatNeverEnds() throws InterruptedException {
        try (DapClient client = new DapClient(data)) {
            client.initialize();
            int launch =
                    client.send("launch", Map.of("program", "/bin/sh", "args", List.of("-c", "while :; do :; done")));
            assertThat(client.event("output").path("output").asString()).startsWith("Recording /bin/sh");
            awaitGuest(client);
            List<ProcessHandle> started = client.process().descendants().toList();
            int terminate = client.send("terminate", Map.of());
            client.event("terminated");
            assertThat(client.response(launch).path("success").asBoolean()).isFalse();
            assertThat(client.messages().stream()
                            .map(message -> message.path("command").asString("")
                                    + message.path("event").asString(""))
                            .filter(name -> !name.equals("output")))
                    .containsExactly("initialize", "terminate", "launch", "terminated");
            assertThat(client.response(terminate).path("success").asBoolean()).isTrue();
            assertEnded(started);
            assertThat(client.leave()).isZero();
        }
    }

    /** Waits until the program that is being recorded runs. */
    private static void awaitGuest(DapClient client) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (client.process()
                        .descendants()
                        .noneMatch(each -> each.info()
                                .command()
                                .map(command -> command.endsWith("sh"))
                                .orElse(false))
                && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        assertThat(System.nanoTime()).isLessThan(end);
    }

    /** Gdb's list of its breakpoints: their numbers, and whether they are enabled. */
    private static String breakpoints(DapClient client) {
        return console(client, "info breakpoints")
                .lines()
                .skip(1)
                .map(line -> line.split("0x")[0].replaceAll(" +", " "))
                .collect(Collectors.joining("\n"));
    }

    private static String console(DapClient client, String command) {
        return client.request("evaluate", Map.of("expression", command, "context", "repl"))
                .path("result")
                .asString();
    }

    @Test
    void shouldLeaveNoProcessWhateverEndsIt() throws InterruptedException {
        try (DapClient client = new DapClient(data)) {
            client.start(Map.of("recording", "latest"), () -> {});
            List<ProcessHandle> started = client.process().descendants().toList();
            assertThat(started)
                    .anySatisfy(
                            each -> assertThat(each.info().command().orElse("")).contains("gdb"));
            // SIGKILL: nothing can be cleaned up.
            client.process().destroyForcibly().waitFor();
            assertEnded(started);
        }
        try (DapClient client = new DapClient(data)) {
            client.start(Map.of("recording", "latest"), () -> {});
            List<ProcessHandle> started = client.process().descendants().toList();
            assertThat(client.leave()).isZero();
            assertEnded(started);
        }
    }

    @Test
    void shouldEndWellWhereAnEditorInterruptsIt() {
        try (DapClient client = new DapClient(data)) {
            client.start(Map.of("recording", "latest"), () -> {});
            client.request("terminate", Map.of());
            client.event("terminated");
            String process = Long.toString(client.process().pid());
            assertThat(new Command(List.of("kill", "-INT", process)).run().status())
                    .isZero();
            assertThat(client.awaitEnd()).isZero();
        }
    }

    private static void assertEnded(List<ProcessHandle> processes) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (processes.stream().anyMatch(ProcessHandle::isAlive) && System.nanoTime() < end) {
            Thread.onSpinWait();
            TimeUnit.MILLISECONDS.sleep(20);
        }
        assertThat(processes).noneMatch(ProcessHandle::isAlive);
    }

    @Test
    void shouldStopLongMovementsSoonWhenAsked() {
        try (DapClient client = new DapClient(data)) {
            Guest guest = Guest.named("longsegment");
            List<String> command = guest.command();
            client.start(
                    Map.of("program", command.getFirst(), "args", command.subList(1, command.size()), "stopAt", "end"),
                    () -> {});
            // A place that is not written to, so that the whole way is looked through.
            Map<String, Object> nothing = Map.of("dataId", "0x7fffffffe000|8||nothing", "accessType", "write");
            JsonNode set = client.request("setDataBreakpoints", Map.of("breakpoints", List.of(nothing)));
            assertThat(set.path("breakpoints").path(0).path("verified").asBoolean())
                    .isTrue();
            for (String way : List.of("pause", "cancel")) {
                int number = client.send("reverseContinue", Map.of("threadId", 1));
                client.response(number);
                long asked = System.nanoTime();
                client.request(way, way.equals("pause") ? Map.of("threadId", 1) : Map.of("requestId", number));
                JsonNode stop = client.event("stopped");
                assertThat(stop.path("reason").asString()).isEqualTo("pause");
                assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(5));
                client.request("eremite/seek", Map.of("to", "end"));
                client.event("stopped");
            }
            assertThat(client.leave()).isZero();
        }
    }

    @Test
    void shouldSaySoWhereThePortIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(taken.getLocalPort());
            var result = new EremiteCommand(data).run("dap", "--port", port);
            assertThat(result.status()).isEqualTo(125);
            assertThat(result.errors()).contains("cannot listen on port " + port, "(E114)", "--port");
        }
        assertThat(new EremiteCommand(data).run("dap", "--port", "70000").status())
                .isEqualTo(2);
    }

    @Test
    void shouldSurviveMessagesOfAllKinds() throws InterruptedException {
        long seed = Long.getLong("eremite.tests.seed", new Random().nextLong());
        System.out.println("DapMisuseTest: -Deremite.tests.seed=" + seed);
        DapMessages messages = new DapMessages(new Random(seed));
        try (DapClient client = new DapClient(data).within(Duration.ofSeconds(120))) {
            client.start(Map.of("recording", "latest"), () -> {});
            List<ProcessHandle> started = client.process().descendants().toList();
            for (int i = 0; i < FUZZED; i++) {
                if (messages.broken()) {
                    client.sendFramed(messages.text());
                    continue;
                }
                int number = client.send(messages.command(), messages.arguments());
                if (i % 5 == 0) {
                    JsonNode response = client.response(number);
                    assertThat(response.path("message").asString(""))
                            .describedAs("seed %d, message %d", seed, number)
                            .doesNotContain("internal error", "Internal error");
                }
            }
            // It is still alive, and has an answer for everything.
            client.request("pause", Map.of("threadId", 1));
            assertThat(client.response(client.send("threads", Map.of()))
                            .path("success")
                            .asBoolean())
                    .describedAs("seed %d", seed)
                    .isTrue();
            assertThat(client.messages().stream()
                            .filter(message -> message.path("body").toString().contains("nternal error")))
                    .describedAs("seed %d", seed)
                    .isEmpty();
            assertThat(client.leave()).isZero();
            assertEnded(started);
        }
    }
}
