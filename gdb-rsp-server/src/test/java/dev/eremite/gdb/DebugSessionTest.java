package dev.eremite.gdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.gdb.codec.Hex;
import dev.eremite.gdb.packet.DebugSession;
import dev.eremite.gdb.packet.Reply;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Packets in, replies out, without a socket. */
@Timeout(60)
class DebugSessionTest {
    @TempDir
    static Path directory;

    private static TinyProgram program;

    private final List<String> console = new ArrayList<>();
    private TraceTarget target;
    private DebugSession session;

    @BeforeAll
    static void build() throws Exception {
        program = TinyProgram.build(directory);
    }

    @BeforeEach
    void open() {
        target = new TraceTarget(program);
        session = new DebugSession(target, packet -> console.add(new String(packet, StandardCharsets.US_ASCII)));
        send("qSupported:multiprocess+;swbreak+;hwbreak+;error-message+");
    }

    private String send(String packet) {
        Reply reply = session.handle(packet.getBytes(StandardCharsets.ISO_8859_1));
        return reply.present() ? new String(reply.payload(), StandardCharsets.ISO_8859_1) : null;
    }

    private static String hex(long value) {
        return Long.toHexString(value);
    }

    @Test
    void shouldAnswerUnknownPacketsWithNothing() {
        for (String unknown : List.of(
                "vMustReplyEmpty",
                "qTStatus",
                "jThreadsInfo",
                "",
                "Y",
                "\u00ff",
                "qXfer:nonsense:read::0,10",
                "vFile:frob:1",
                "Z9,0,0",
                "_M1000,rwx")) {
            assertThat(send(unknown)).as(unknown).isEmpty();
        }
    }

    @Test
    void shouldSelectThreadThatStops() {
        send("Hgp3e9.3ea");
        String second = send("g");
        assertThat(send("vCont;s:p3e9.3e9")).contains("thread:p3e9.3e9");
        String selected = send("g");
        send("Hgp3e9.3e9");
        assertThat(selected).isEqualTo(send("g")).isNotEqualTo(second);
    }

    @Test
    void shouldNameThreadsAsTheClientUnderstandsThem() {
        assertThat(send("qC")).isEqualTo("QCp3e9.3e9");
        assertThat(send("qfThreadInfo")).isEqualTo("mp3e9.3e9,p3e9.3ea");
        assertThat(send("qsThreadInfo")).isEqualTo("l");
        assertThat(send("qThreadExtraInfo,p3e9.3ea")).isEqualTo(Hex.encode("second <&>"));
        assertThat(send("Tp3e9.3ea")).isEqualTo("OK");
        assertThat(send("Tp3e9.3eb")).startsWith("E.");
        send("qSupported:swbreak+");
        assertThat(send("qC")).isEqualTo("QC3e9");
        assertThat(send("T3eb")).matches("E[0-9a-f]{2}");
    }

    @Test
    void shouldTransferObjectsInPieces() {
        StringBuilder whole = new StringBuilder();
        String piece;
        do {
            piece = send("qXfer:threads:read::" + hex(whole.length()) + ",10");
            whole.append(piece.substring(1));
        } while (piece.startsWith("m"));
        assertThat(whole.toString()).contains("<thread id=\"p3e9.3ea\" name=\"second &#60;&#38;&#62;\"/>");
        assertThat(send("qXfer:features:read:target.xml:ffffffff,10")).isEqualTo("l");
        assertThat(send("qXfer:features:read:other.xml:0,10")).startsWith("E");
        assertThat(send("qXfer:exec-file:read:3e9:0,fff")).isEqualTo("l/bin/tiny");
        assertThat(send("qXfer:siginfo:read::0,80")).startsWith("E");
    }

    @Test
    void shouldReadAndWriteMemory() {
        String counter = hex(program.address("counter"));
        assertThat(send("m" + counter + ",8")).isEqualTo("0000000000000000");
        assertThat(send("M" + counter + ",2:0102")).isEqualTo("OK");
        assertThat(send("X" + counter + ",2:\u0003}")).isEqualTo("OK");
        assertThat(send("X" + counter + ",0:")).isEqualTo("OK");
        assertThat(send("x" + counter + ",2")).isEqualTo("b\u0003}");
        assertThat(send("X" + counter + ",3:ab")).startsWith("E");
        assertThat(send("m10,4")).startsWith("E");
        assertThat(send("m" + counter + ",ffffffffffffffff")).hasSize(32);
        assertThat(send("qMemoryRegionInfo:" + counter)).contains("permissions:rw;name:");
        assertThat(send("qMemoryRegionInfo:10")).startsWith("start:0;size:");
        assertThat(send("qMemoryRegionInfo:ffffffffffffff00")).startsWith("start:80000000;size:ffffffff80000000");
    }

    @Test
    void shouldReadAndWriteRegisters() {
        assertThat(send("p10")).isEqualTo("0010400000000000");
        assertThat(send("P1=0807060504030201")).isEqualTo("OK");
        assertThat(send("p1")).isEqualTo("0807060504030201");
        String all = send("g");
        assertThat(send("G" + all)).isEqualTo("OK");
        assertThat(send("g")).isEqualTo(all);
        assertThat(send("pffff")).startsWith("E");
        assertThat(send("P1=00")).startsWith("E");
    }

    @Test
    void shouldServeFilesOfTheRecordingReadOnly() throws Exception {
        String path = Hex.encode("/bin/tiny");
        assertThat(send("vFile:setfs:3e9")).isEqualTo("F0");
        assertThat(send("vFile:open:" + path + ",0,1c0")).isEqualTo("F3");
        byte[] file = Files.readAllBytes(program.executable);
        assertThat(send("vFile:pread:3,10,0")).isEqualTo("F10;" + new String(file, 0, 16, StandardCharsets.ISO_8859_1));
        assertThat(send("vFile:pread:3,10," + hex(file.length))).isEqualTo("F0;");
        assertThat(send("vFile:fstat:3")).startsWith("F40;").hasSize(68);
        assertThat(send("vFile:stat:" + path)).startsWith("F40;");
        assertThat(send("vFile:close:3")).isEqualTo("F0");
        assertThat(send("vFile:close:3")).isEqualTo("F-1,9");
        assertThat(send("vFile:open:" + Hex.encode("/etc/passwd") + ",0,0")).isEqualTo("F-1,2");
        assertThat(send("vFile:open:" + path + ",1,0")).isEqualTo("F-1,1e");
        assertThat(send("vFile:readlink:" + Hex.encode("/proc/1001/exe"))).isEqualTo("F9;/bin/tiny");
    }

    @Test
    void shouldReportStopsWithTheirReasons() {
        assertThat(send("Z1," + hex(program.address("work")) + ",1")).isEqualTo("OK");
        assertThat(send("vCont;c")).matches("T05.*thread:p3e9.3e9;hwbreak:;");
        assertThat(send("vCont;C0a:p3e9.-1")).contains("hwbreak");
        assertThat(send("bc")).contains("hwbreak");
        assertThat(send("bc")).matches("T05.*thread:p3e9.3e9;replaylog:begin;");
        assertThat(send("z1," + hex(program.address("work")) + ",1")).isEqualTo("OK");
        assertThat(send("Z4," + hex(program.address("shared") + 3) + ",2")).isEqualTo("OK");
        assertThat(send("c")).contains("thread:p3e9.3ea;awatch:" + hex(program.address("shared") + 3) + ";");
        send("z4," + hex(program.address("shared") + 3) + ",2");
        assertThat(send("vCont;c:p3e9.-1")).startsWith("T1e");
        assertThat(send("qXfer:siginfo:read::0,80")).hasSize(129);
        assertThat(send("vCont;c")).contains("replaylog:end;");
        assertThat(send("?")).startsWith("T05").doesNotContain("replaylog");
        assertThat(send("s401000")).startsWith("E.a recording cannot");
    }

    @Test
    void shouldStepTheNamedThread() {
        assertThat(send("vCont;s:p3e9.3ea;c:p3e9.-1")).contains("thread:p3e9.3ea;");
        assertThat(send("Hcp3e9.3ea")).isEqualTo("OK");
        assertThat(send("bs")).contains("thread:p3e9.3ea;");
        long other = program.address("other");
        assertThat(send("vCont;r" + hex(other) + "," + hex(other + 10) + ":p3e9.3ea;c:p3e9.-1"))
                .contains("10:" + Hex.encode(new byte[] {(byte) (other + 10)}));
        assertThat(send("vCont;s:p3e9.77")).startsWith("E");
        assertThat(send("vCont;q")).startsWith("E");
    }

    @Test
    void shouldTurnFailuresOfTheEngineIntoErrors() {
        assertThat(send("qRcmd," + Hex.encode("fail"))).isEqualTo("E.the engine is out of order");
        assertThat(send("qRcmd," + Hex.encode("where"))).isEqualTo("OK");
        assertThat(console).containsExactly("O" + Hex.encode("position 0 of " + target.length() + "\n"));
        target.broken = true;
        assertThat(send("vCont;c")).isEqualTo("E.broken");
        assertThat(console).last().isEqualTo("O" + Hex.encode("eremite: broken\n"));
        target.broken = false;
        assertThat(send("vCont;c")).startsWith("T");
    }

    @Test
    void shouldAskForTheSymbolsItNeeds() {
        String reply = send("qSymbol::");
        List<String> asked = new ArrayList<>();
        while (reply.startsWith("qSymbol:")) {
            asked.add(reply);
            reply = send("qSymbol::" + reply.substring("qSymbol:".length()));
        }
        assertThat(reply).isEqualTo("OK");
        assertThat(asked).hasSize(5).doesNotHaveDuplicates();
        assertThat(send("qGetTLSAddr:p3e9.3e9,10,0")).contains("no thread-local storage yet");
    }

    @Test
    void shouldTakeOutBreakpointsWhenTheClientGoes() {
        send("Z0,401000,1;X3,220127");
        send("Z2,402000,4000");
        assertThat(target.breakpoints).hasSize(2);
        send("D;3e9");
        assertThat(target.breakpoints).isEmpty();
        send("Z0,401000,1");
        session.close();
        assertThat(target.breakpoints).isEmpty();
    }

    @Test
    void shouldSurviveTwentyThousandMutatedPackets() {
        String[] seeds = {
            "qSupported:multiprocess+;swbreak+",
            "vCont;s:p3e9.3e9;c:p3e9.-1",
            "vCont;r401000,401010:p3e9.3e9",
            "bc",
            "bs",
            "Z0,401015,1;X26,260001164022021320000e2100232600072a402310002b1520001e2100232201210025220027",
            "Z2,402000,8",
            "z0,401015,1",
            "m401000,40",
            "M402000,2:0102",
            "X402000,2:ab",
            "x401000,10",
            "g",
            "p10",
            "P1=0807060504030201",
            "Hgp3e9.3ea",
            "Tp3e9.3e9",
            "qXfer:features:read:target.xml:0,ffb",
            "vFile:open:2f62696e2f74696e79,0,0",
            "vFile:pread:3,10,0",
            "vFile:fstat:3",
            "vFile:close:3",
            "qSearch:memory:401000;100;\u000f",
            "qCRC:401000,10",
            "qSymbol::",
            "qGetTLSAddr:p3e9.3e9,0,0",
            "QPassSignals:e;10;14",
            "qRcmd,7768657265",
            "qMemoryRegionInfo:401000",
            "vRun;;",
            "D",
            "s",
            "C0b;401000"
        };
        long seed = 42;
        Random random = new Random(seed);
        for (int round = 0; round < 20_000; round++) {
            StringBuilder packet = new StringBuilder(seeds[random.nextInt(seeds.length)]);
            for (int mutations = random.nextInt(5); mutations > 0; mutations--) {
                int at = random.nextInt(packet.length() + 1);
                switch (random.nextInt(4)) {
                    case 0 -> packet.insert(at, (char) random.nextInt(256));
                    case 1 -> packet.insert(at, ",;:.-0fp".charAt(random.nextInt(8)));
                    case 2 -> packet.setLength(at);
                    default -> packet.replace(at, Math.min(at + 1, packet.length()), hex(random.nextLong()));
                }
            }
            assertThat(session.handle(packet.toString().getBytes(StandardCharsets.ISO_8859_1)))
                    .as("seed %d round %d packet %s", seed, round, packet)
                    .isNotNull();
        }
        send("vRun;;");
        assertThat(send("m401000,1")).isNotEmpty();
        assertThat(send("vCont?")).isEqualTo("vCont;c;C;s;S;t;r");
    }
}
