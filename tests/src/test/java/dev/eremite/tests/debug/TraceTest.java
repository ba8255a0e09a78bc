package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.command.Folders;
import dev.eremite.tests.command.RecordReplay;
import dev.eremite.tests.guest.Guest;
import dev.eremite.tests.mi.DebugSession;
import dev.eremite.tests.mi.MiStop;
import dev.eremite.tests.mi.ReplayServer;
import dev.eremite.tests.mi.RspClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * From main the way forward and the way back are the same: by lines as gdb steps, and by instructions, as a plain client
 * steps, in all registers. A few programs and short ways by default; {@code -Deremite.tests.trace.programs=20} takes all of
 * them, and {@code -Deremite.tests.trace.lines} and {@code …instructions} set how far.
 */
@Tag("slow")
@Timeout(value = 1800, unit = TimeUnit.SECONDS)
class TraceTest {
    private static final int PROGRAMS = Integer.getInteger("eremite.tests.trace.programs", 3);
    private static final int LINES = Integer.getInteger("eremite.tests.trace.lines", 40);
    private static final int INSTRUCTIONS = Integer.getInteger("eremite.tests.trace.instructions", 300);

    /** The number of the entry point in the auxiliary vector, and its place in an ELF file's header (elf(5)). */
    private static final long AT_ENTRY = 9;

    private static final int ENTRY_OFFSET = 24;

    /** Sixteen registers of eight bytes. */
    private static final int GENERAL_DIGITS = 16 * 16;

    /** Those without what gdb itself steps over differently backwards: signals, lines that recur, loops in several pieces. */
    private static final List<String> BY_LINE = List.of(
            "walk",
            "containers",
            "forkpipe",
            "basics",
            "calls",
            "longjmp",
            "tls",
            "bughunt",
            "million",
            "watchread",
            "inputs",
            "mappings",
            "mapreadonly",
            "sharedfile",
            "landmarks-calls-o0",
            "landmarks-nested-o0",
            "landmarks-local-o0",
            "hits20-o0",
            "avx",
            "mapsparse");

    private static final List<String> BY_INSTRUCTION =
            List.of("walk", "mapsparse", "traps", "containers", "basics", "bughunt", "recursion", "avx", "forkpipe");

    /**
     * A guest for stepping: linked statically, since gdb cannot step back over functions of which it does not know where they
     * begin; without discriminators, which make gdb take several pieces of code for one line that lies elsewhere.
     */
    private static Guest stepped(String name) {
        Guest guest = Guest.named(name);
        return new Guest(
                name + "-stepped",
                guest.source(),
                Stream.concat(guest.flags().stream(), Stream.of("-gdwarf-3", "-gstrict-dwarf", "-static", "-Wno-error"))
                        .toList(),
                guest.arguments(),
                guest.status(),
                guest.deterministic());
    }

    @TestFactory
    Stream<DynamicTest> shouldStepBackByTheSameLines() {
        return BY_LINE.stream()
                .limit(PROGRAMS)
                .map(name -> DynamicTest.dynamicTest(name, () -> compareLines(stepped(name))));
    }

    private static void compareLines(Guest guest) {
        try (DebugSession session = DebugSession.openGuest(guest)) {
            session.gdb().within(Duration.ofSeconds(60)).console("handle all nostop noprint pass");
            session.gdb().command("-break-insert -t main");
            MiStop first = session.forward();
            assertThat(first.function()).as(session.gdb()::transcript).isEqualTo("main");
            Way forward = new Way(first);
            int steps = 0;
            while (forward.lines.size() < LINES && steps < 3 * LINES && forward.add(session.move("step"))) {
                steps++;
            }
            if (forward.left) {
                // Gdb went on to the end of the program; to stand at the last line, go there again.
                session.gdb().command("-break-insert -t main");
                session.gdb().resume("-exec-run");
                for (int i = 0; i < steps; i++) {
                    session.move("step");
                }
            }
            Way back = new Way(forward.last);
            for (int i = 0; i < 4 * LINES && back.lines.size() < forward.lines.size(); i++) {
                back.add(session.moveBack("step"));
            }
            assertThat(back.lines.reversed()).isEqualTo(forward.lines);
            assertThat(forward.lines).hasSizeGreaterThan(5);
        }
    }

    /** Lines in order; one that gdb stops at several times without another in between counts once. */
    private static final class Way {
        private final List<String> lines = new ArrayList<>();
        private MiStop last;
        private boolean left;

        Way(MiStop first) {
            add(first);
        }

        /** Adds a stop; false when it is in no line of the program any more. */
        boolean add(MiStop stop) {
            left = stop.line() == 0 || stop.historyEnd() || stop.exited();
            if (left) {
                return false;
            }
            last = stop;
            String line = stop.function() + ":" + stop.line();
            if (lines.isEmpty() || !lines.getLast().equals(line)) {
                lines.add(line);
            }
            return true;
        }
    }

    @TestFactory
    Stream<DynamicTest> shouldStepBackByTheSameInstructions() {
        return BY_INSTRUCTION.stream()
                .limit(PROGRAMS)
                .map(name -> DynamicTest.dynamicTest(name, () -> compareInstructions(Guest.named(name))));
    }

    private static void compareInstructions(Guest guest) throws IOException {
        Path data = RecordReplay.newDataFolder("trace-" + guest.name());
        EremiteCommand eremite = new EremiteCommand(data);
        assertThat(eremite.record(guest.command()).status()).isEqualTo(guest.status());
        try (ReplayServer server = new ReplayServer(eremite, "latest", Duration.ofSeconds(30));
                RspClient client = new RspClient(server.address())) {
            String main = "Z0," + Long.toHexString(main(Path.of(guest.command().getFirst()), client)) + ",1";
            assertThat(client.ask(main)).isEqualTo("OK");
            assertStopped(client.ask("c"));
            assertThat(client.ask(main.replace('Z', 'z'))).isEqualTo("OK");
            List<String> forward = new ArrayList<>();
            forward.add(client.ask("g"));
            for (int i = 0; i < INSTRUCTIONS; i++) {
                assertStopped(client.ask("s"));
                forward.add(client.ask("g"));
            }
            for (int i = INSTRUCTIONS; i >= 0; i--) {
                // All registers, as the target description orders them: the general ones first.
                assertThat(client.ask("g"))
                        .as("%s, %d instructions behind main", guest.name(), i)
                        .isEqualTo(forward.get(i));
                if (i > 0) {
                    assertStopped(client.ask("bs"));
                }
            }
            assertThat(forward).doesNotHaveDuplicates().allMatch(registers -> registers.length() > GENERAL_DIGITS);
        } finally {
            Folders.delete(data);
        }
    }

    private static void assertStopped(String stop) {
        assertThat(stop).startsWith("T05").doesNotContain("replaylog");
    }

    /** Where main is in the replayed program: its place in the file, moved as far as the entry point (ld.so(8), getauxval(3)). */
    private static long main(Path program, RspClient client) throws IOException {
        String symbols = new Command(List.of("nm", program.toString())).run().output();
        Matcher main = Pattern.compile("(?m)^(\\w+) T main$").matcher(symbols);
        assertThat(main.find()).as(symbols).isTrue();
        ByteBuffer vector = ByteBuffer.wrap(unescaped(client.ask("qXfer:auxv:read::0,1000")))
                .order(ByteOrder.LITTLE_ENDIAN);
        while (vector.getLong() != AT_ENTRY) {
            vector.getLong();
        }
        long entry = ByteBuffer.wrap(Files.readAllBytes(program))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getLong(ENTRY_OFFSET);
        return Long.parseUnsignedLong(main.group(1), 16) + vector.getLong() - entry;
    }

    /** The bytes of a reply in binary, without the letter in front that says whether more follows. */
    private static byte[] unescaped(String reply) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 1; i < reply.length(); i++) {
            bytes.write(reply.charAt(i) == '}' ? reply.charAt(++i) ^ 0x20 : reply.charAt(i));
        }
        return bytes.toByteArray();
    }
}
