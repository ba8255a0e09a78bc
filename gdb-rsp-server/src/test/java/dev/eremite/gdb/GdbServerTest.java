package dev.eremite.gdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eremite.gdb.codec.Incoming;
import dev.eremite.gdb.codec.PacketDecoder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class GdbServerTest {
    @TempDir
    static Path directory;

    private static TinyProgram program;

    private final ExecutorService targetThread = Executors.newSingleThreadExecutor();
    private final Semaphore connected = new Semaphore(0);
    private final Semaphore disconnected = new Semaphore(0);
    private TraceTarget target;
    private GdbServer server;

    @BeforeAll
    static void build() throws Exception {
        program = TinyProgram.build(directory);
    }

    @BeforeEach
    void serve() throws IOException {
        target = new TraceTarget(program);
        server = GdbServer.start(target, targetThread, 0, new GdbServer.Listener() {
            @Override
            public void connected() {
                connected.release();
            }

            @Override
            public void disconnected() {
                disconnected.release();
            }
        });
    }

    @AfterEach
    void stop() throws InterruptedException {
        server.close();
        targetThread.shutdown();
        assertThat(targetThread.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }

    private RspClient client() throws IOException {
        return new RspClient(server.port());
    }

    @Test
    void shouldAcknowledgeAndRepeatUntilTheClientSwitchesThatOff() throws IOException {
        try (RspClient client = client()) {
            client.packet("vMustReplyEmpty");
            assertThat(client.next()).isEqualTo(new Incoming.Acknowledged());
            assertThat(client.reply()).isEmpty();
            client.raw("$?#00");
            assertThat(client.next()).isEqualTo(new Incoming.NotAcknowledged());
            client.packet("qC");
            assertThat(client.reply()).isEqualTo("QC3e9");
            client.raw("-");
            assertThat(client.reply()).isEqualTo("QC3e9");
            assertThat(client.ask("QStartNoAckMode")).isEqualTo("OK");
            client.packet("qC");
            assertThat(client.next()).isInstanceOf(Incoming.Command.class);
            client.raw("$?#00");
            assertThat(client.ask("qC")).isEqualTo("QC3e9");
        }
    }

    @Test
    void shouldAnswerAPacketThatIsTooLongWithAnError() throws IOException {
        try (RspClient client = client()) {
            assertThat(client.ask("m" + "0".repeat(PacketDecoder.MAX_PAYLOAD))).isEqualTo("E16");
            assertThat(client.ask("qC")).isEqualTo("QC3e9");
        }
    }

    @Test
    void shouldInterruptMovementsInBothDirectionsAtOnce() throws Exception {
        target.slow = true;
        try (RspClient client = client()) {
            for (String movement : new String[] {"vCont;c", "bc", "bs"}) {
                client.packet(movement);
                client.raw("\3");
                assertThat(client.reply()).startsWith("T02");
            }
        }
    }

    @Test
    void shouldNotLetAnInterruptStopTheNextMovement() throws IOException {
        try (RspClient client = client()) {
            client.ask("?");
            client.raw("\3\3");
            assertThat(client.ask("vCont;s:3e9")).startsWith("T05");
            assertThat(target.interrupts).hasValue(0);
        }
    }

    /** A client that evaluates conditions itself stands still for moments, and for its user runs all the time. */
    @Test
    void shouldKeepAnInterruptBehindAStopForTheMovementThatFollows() throws IOException {
        try (RspClient client = client()) {
            for (String movement : new String[] {"vCont;s:3e9", "bs"}) {
                assertThat(client.ask("vCont;s:3e9")).startsWith("T05");
                client.raw("\3");
                assertThat(client.ask("qC")).isEqualTo("QC3e9");
                assertThat(client.ask(movement)).startsWith("T02");
                assertThat(client.ask(movement)).startsWith("T05");
            }
        }
    }

    @Test
    void shouldInterruptWhenTheClientVanishesAndServeTheNextOne() throws Exception {
        target.slow = true;
        try (RspClient client = client()) {
            client.ask("Z0,401015,1");
            client.packet("vCont;c");
            assertThat(target.moving.await(10, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(disconnected.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        target.slow = false;
        try (RspClient next = client()) {
            assertThat(next.ask("qC")).isEqualTo("QC3e9");
            assertThat(target.breakpoints).isEmpty();
            assertThat(next.ask("vCont;c")).startsWith("T1e");
        }
        assertThat(connected.tryAcquire(2, 10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldTurnAwayASecondClientPolitely() throws IOException {
        try (RspClient first = client()) {
            first.ask("?");
            try (RspClient second = client()) {
                assertThat(second.ask("qSupported")).startsWith("E.another debugger");
                assertThat(second.next()).isNull();
            }
            assertThat(first.ask("qC")).isEqualTo("QC3e9");
        }
    }

    @Test
    void shouldHangUpOnOtherProtocolsAndIgnoreSilentConnections() throws IOException {
        try (RspClient silent = client();
                RspClient web = client()) {
            web.raw("POST / HTTP/1.1\r\n\r\n$vCont;c#a8");
            assertThat(web.next()).isNull();
            try (RspClient debugger = client()) {
                assertThat(debugger.ask("qC")).isEqualTo("QC3e9");
            }
            assertThat(silent.socket.isClosed()).isFalse();
        }
        assertThat(target.calls).isEmpty();
    }

    @Test
    void shouldCloseAClientThatFloodsItDuringAMovement() throws Exception {
        target.slow = true;
        try (RspClient client = client()) {
            client.packet("QStartNoAckMode");
            client.packet("vCont;c");
            assertThatThrownBy(() -> {
                        while (true) {
                            client.raw("$m401000,4#" + "%02x".formatted(sum("m401000,4")));
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
        assertThat(disconnected.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
    }

    private static int sum(String payload) {
        return payload.chars().sum() & 0xFF;
    }

    @Test
    void shouldEndAMovementWhenItIsClosed() throws Exception {
        target.slow = true;
        try (RspClient client = client()) {
            client.packet("vCont;c");
            assertThat(target.moving.await(10, TimeUnit.SECONDS)).isTrue();
            server.close();
            CountDownLatch free = new CountDownLatch(1);
            targetThread.execute(free::countDown);
            assertThat(free.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void shouldRefuseAPortThatIsTaken() {
        assertThatThrownBy(() -> GdbServer.start(target, targetThread, server.port()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(String.valueOf(server.port()));
    }

    @Test
    void shouldServeOnAfterClientsThatSendNoise() throws Exception {
        long seed = 11;
        Random random = new Random(seed);
        for (int round = 0; round < 50; round++) {
            try (RspClient noisy = client()) {
                byte[] noise = new byte[2000];
                random.nextBytes(noise);
                noise[0] = '+';
                noisy.socket.getOutputStream().write(noise);
            }
            // The slot is free as soon as the server has seen the end of the connection.
            assertThat(disconnected.tryAcquire(10, TimeUnit.SECONDS))
                    .as("seed %d round %d", seed, round)
                    .isTrue();
        }
    }
}
