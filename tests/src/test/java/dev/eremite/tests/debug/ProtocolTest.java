package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.command.Folders;
import dev.eremite.tests.command.RecordReplay;
import dev.eremite.tests.guest.Guest;
import dev.eremite.tests.mi.ReplayServer;
import dev.eremite.tests.mi.RspClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The remote protocol as sockets see it: clients that know little, and clients that talk nonsense. */
@Tag("slow")
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class ProtocolTest {
    private static final int PACKETS = Integer.getInteger("eremite.tests.packets", 10_000);
    private static final long SEED = Long.getLong("eremite.tests.seed", System.nanoTime());

    private static final List<String> VALID = List.of(
            "?",
            "g",
            "m7fffffffe000,40",
            "m400000,8",
            "x7fffffffe000,40",
            "p10",
            "P10=0000000000000000",
            "Z0,401000,1",
            "z0,401000,1",
            "Z2,7fffffffe000,8",
            "z2,7fffffffe000,8",
            "Z0,401000,1;X3,220027",
            "s",
            "c",
            "bs",
            "bc",
            "vCont?",
            "vCont;s:p1.1;c",
            "vCont;r401000,401010:p1.1",
            "qSupported:multiprocess+;swbreak+",
            "qXfer:features:read:target.xml:0,fff",
            "qXfer:auxv:read::0,1000",
            "qXfer:threads:read::0,1000",
            "qXfer:exec-file:read::0,100",
            "qfThreadInfo",
            "qsThreadInfo",
            "qThreadExtraInfo,p1.1",
            "qC",
            "Hg0",
            "Hcp1.-1",
            "T1",
            "qRcmd,7768656e",
            "qRcmd,7365656b203130",
            "qRcmd,6576656e7473",
            "qSearch:memory:7fffffffe000;100;abc",
            "qCRC:7fffffffe000,100",
            "qMemoryRegionInfo:7fffffffe000",
            "vAttach;64",
            "D;64",
            "vKill;64",
            "QCatchSyscalls:1;1;3c",
            "QCatchSyscalls:0",
            "QPassSignals:e;14",
            "Hgp1.-1",
            "qXfer:libraries-svr4:read::0,400",
            "qXfer:osdata:read:processes:0,400",
            "qXfer:exec-file:read:64:0,100",
            "qSupported:multiprocess+;fork-events+;vfork-events+;exec-events+;swbreak+",
            "vFile:setfs:0",
            "vFile:open:2f62696e2f6c73,0,0",
            "vFile:pread:3,100,0",
            "vFile:fstat:3",
            "vFile:close:3",
            "vFile:readlink:2f70726f632f73656c662f657865",
            "QPassSignals:e;10",
            "QCatchSyscalls:1;3b",
            "M7fffffffe000,4:01020304",
            "X7fffffffe000,0:",
            "vKill;1",
            "R00",
            "vRun;;",
            "D",
            "k");

    private Path data;
    private ReplayServer server;

    @BeforeEach
    void serve() {
        data = RecordReplay.newDataFolder("protocol");
        EremiteCommand eremite = new EremiteCommand(data);
        Guest guest = Guest.named("calls");
        assertThat(eremite.record(guest.command()).status()).isEqualTo(guest.status());
        server = new ReplayServer(eremite, "latest", Duration.ofSeconds(30));
    }

    @AfterEach
    void end() {
        server.close();
        Folders.delete(data);
    }

    /** Connects as soon as the client before has been seen off. */
    private RspClient connect() throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            RspClient client = new RspClient(server.address());
            if (!client.ask("qC").startsWith("E.another") || System.nanoTime() > deadline) {
                return client;
            }
            client.close();
        }
    }

    @Test
    void shouldServeClientThatKnowsOnlyReverseContinueAndStep() throws IOException {
        Map<String, String> before = contents(data);
        try (RspClient client = connect()) {
            assertThat(client.ask("?")).startsWith("T05");
            assertThat(client.ask("bc")).contains("replaylog:begin");
            assertThat(client.ask("c")).contains("replaylog:end");
            String last = client.ask("g");
            assertThat(client.ask("bs")).startsWith("T05").doesNotContain("replaylog");
            assertThat(client.ask("s")).startsWith("T05");
            assertThat(client.ask("g")).isEqualTo(last);
            assertThat(client.ask("bc")).contains("replaylog:begin");
            String first = client.ask("g");
            assertThat(client.ask("s")).startsWith("T05");
            assertThat(client.ask("bs")).startsWith("T05");
            assertThat(client.ask("g")).isEqualTo(first);
        }
        assertThat(contents(data)).isEqualTo(before);
    }

    @Test
    void shouldAnswerOrHangUpWhateverComes() throws IOException {
        Map<String, String> before = contents(data);
        Random random = new Random(SEED);
        System.out.println("packets are mutated with -Deremite.tests.seed=" + SEED);
        int sent = 0;
        while (sent < PACKETS) {
            try (RspClient client = connect()) {
                for (int i = random.nextInt(400); i > 0 && sent < PACKETS; i--) {
                    sent++;
                    if (!client.throwAt(frame(random))) {
                        break;
                    }
                }
            }
        }
        try (RspClient client = connect()) {
            assertThat(client.ask("?")).as("seed %d", SEED).startsWith("T");
            assertThat(client.ask("bc")).contains("replaylog:begin");
        }
        assertThat(server.process().isAlive()).isTrue();
        assertThat(contents(data)).isEqualTo(before);
    }

    @Test
    void shouldSurviveHugePacketsAndSecondClients() throws IOException {
        try (RspClient first = connect()) {
            assertThat(first.ask("?")).startsWith("T05");
            try (RspClient second = new RspClient(server.address())) {
                assertThat(second.ask("?")).startsWith("E.another");
                // Hung up on.
                second.drain();
            }
            first.send(RspClient.framed("x".repeat(2 << 20)));
            first.drain();
        }
        for (int i = 0; i < 50; i++) {
            try (RspClient client = connect()) {
                client.send("$m7fffffffe000,40".getBytes(StandardCharsets.US_ASCII));
            }
        }
        try (RspClient client = connect()) {
            client.send("$c#00".getBytes(StandardCharsets.US_ASCII));
            assertThat(client.read()).isEqualTo('-');
            assertThat(client.ask("c")).contains("replaylog:end");
        }
    }

    private static byte[] frame(Random random) {
        StringBuilder payload = new StringBuilder(VALID.get(random.nextInt(VALID.size())));
        for (int i = random.nextInt(4); i > 0 && !payload.isEmpty(); i--) {
            int at = random.nextInt(payload.length());
            switch (random.nextInt(4)) {
                case 0 -> payload.setCharAt(at, (char) random.nextInt(256));
                case 1 -> payload.deleteCharAt(at);
                case 2 -> payload.insert(at, (char) random.nextInt(256));
                default -> payload.setLength(at);
            }
        }
        byte[] frame = RspClient.framed(payload.toString());
        return switch (random.nextInt(50)) {
            case 0 -> java.util.Arrays.copyOf(frame, random.nextInt(frame.length));
            case 1 -> new byte[] {(byte) random.nextInt(256)};
            case 2 -> {
                frame[frame.length - 1] ^= 1;
                yield frame;
            }
            default -> frame;
        };
    }

    private static Map<String, String> contents(Path folder) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                byte[] bytes = Files.readAllBytes(file);
                contents.put(
                        folder.relativize(file).toString(),
                        bytes.length + " " + Files.getLastModifiedTime(file) + " " + java.util.Arrays.hashCode(bytes));
            }
        }
        return contents;
    }
}
