package dev.eremite.tests.commandline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.CommandResult;
import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.command.Folders;
import dev.eremite.tests.command.RecordReplay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code record dump} and {@code record clean} with their options. */
class DumpAndCleanTest {
    private Path data;
    private EremiteCommand eremite;

    @BeforeEach
    void makeDataFolder() {
        data = RecordReplay.newDataFolder("dump");
        eremite = new EremiteCommand(data);
    }

    @AfterEach
    void deleteDataFolder() {
        Folders.delete(data);
    }

    private void record(String script) {
        CommandResult result = eremite.record(List.of("/bin/sh", "-c", script));
        assertThat(result.status()).as(result.errors()).isZero();
    }

    private long events() {
        return eremite.run("record", "dump").output().lines().count();
    }

    private List<String> dump(String... options) {
        String[] words = new String[options.length + 2];
        words[0] = "record";
        words[1] = "dump";
        System.arraycopy(options, 0, words, 2, options.length);
        CommandResult result = eremite.run(words);
        assertThat(result.status()).as(result.errors()).isZero();
        return result.output().lines().toList();
    }

    @Test
    void shouldDecodeCallsAsStraceDoes() {
        record("read line < /etc/hostname; echo done");
        String dumped = String.join("\n", dump());
        assertThat(dumped)
                .startsWith("#0 ")
                .contains("execve(\"/bin/sh\", [\"/bin/sh\", \"-c\", \"read line < /etc/hostname; echo \"...], 0x")
                .contains("openat(AT_FDCWD, 0x", "O_RDONLY|O_CLOEXEC) = 3")
                .contains("read(3, \"\\177ELF", "= 832; writes 832 bytes at 0x")
                .contains("PROT_READ|PROT_EXEC, MAP_PRIVATE|MAP_FIXED|MAP_DENYWRITE, 3, 0x")
                .contains(", 5)", "= 5; to stdout");
    }

    @Test
    void shouldDumpTheEventsAskedFor() {
        record("echo one");
        List<String> all = dump();
        int last = all.size() - 1;
        assertThat(dump("--events", "2..4")).isEqualTo(all.subList(2, 5));
        assertThat(dump("--events", "..3")).isEqualTo(all.subList(0, 4));
        assertThat(dump("--events", (last - 1) + "..")).isEqualTo(all.subList(last - 1, last + 1));
        assertThat(dump("--events", "7")).isEqualTo(all.subList(7, 8));
        assertThat(dump("--events", (last - 1) + ".." + (last + 1000))).isEqualTo(all.subList(last - 1, last + 1));
        assertThat(dump("--events", "0..0", "--json"))
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .startsWith("{\"event\":0,")
                        .contains("\"kind\":\"syscall\"", "\"name\":\"execve\"")
                        .endsWith("}"));
        assertThat(dump("--json")).hasSize(all.size()).allMatch(line -> line.startsWith("{\"event\":"));

        for (String wrong : List.of("9999..", "9999", "9999..10000", "5..3", "..", "x", "1..x", "-1..2")) {
            CommandResult result = eremite.run("record", "dump", "--events", wrong);
            assertThat(result.status()).as(wrong).isEqualTo(2);
            assertThat(result.output()).isEmpty();
            assertThat(result.errors()).as(wrong).contains("(E100)").doesNotContain("\tat ");
        }
        assertThat(eremite.run("record", "dump", "--events", "9999..").errors())
                .contains("there is no event 9999: the recording has events 0 to " + last);
    }

    @Test
    void shouldCleanByRules() throws IOException {
        record("echo one");
        record("echo two");
        record("echo three");
        assertThat(eremite.run("record", "clean").status()).isEqualTo(2);
        assertThat(eremite.run("record", "clean", "--keep", "-1").status()).isEqualTo(2);
        assertThat(eremite.run("record", "clean", "--older-than", "x").status()).isEqualTo(2);

        CommandResult tried = eremite.run("record", "clean", "--keep", "1", "--dry-run");
        assertThat(tried.output().lines()).hasSize(2).allMatch(line -> line.startsWith("would remove "));
        assertThat(recordings()).isEqualTo(3);
        assertThat(eremite.run("record", "clean", "--older-than", "1").status()).isZero();
        assertThat(eremite.run("record", "clean", "--incomplete").status()).isZero();
        assertThat(recordings()).isEqualTo(3);

        assertThat(eremite.run("record", "clean", "--older-than", "0", "--keep", "2")
                        .errors()
                        .lines())
                .hasSize(1)
                .allMatch(line -> line.startsWith("eremite: removed "));
        assertThat(recordings()).isEqualTo(2);
        assertThat(eremite.replay("latest").output()).isEqualTo("three\n");

        Path broken = eremite.data().resolve("recordings/20200101-000000-broken");
        Files.createDirectory(broken);
        assertThat(eremite.run("record", "list", "--json").output())
                .contains("\"id\" : \"20200101-000000-broken\"", "\"state\" : \"damaged\"", "is not a recording");
        assertThat(eremite.run("record", "clean", "--incomplete").errors()).isEmpty();
        Files.setLastModifiedTime(broken, java.nio.file.attribute.FileTime.fromMillis(0));
        assertThat(eremite.run("record", "clean", "--incomplete").errors()).contains("removed 20200101-000000-broken");
        assertThat(eremite.run("record", "clean", "--all", "-q").errors()).isEmpty();
        assertThat(recordings()).isZero();
        assertThat(Folders.files(data.resolve("blobs"))).isEmpty();
    }

    @Test
    void shouldNotRemoveWhatIsInUse() throws IOException, InterruptedException {
        Path output = data.resolve("output");
        Process recorder = eremite.recordCommand(List.of("/bin/sh", "-c", "echo begun; exec sleep 60"))
                .start(output, data.resolve("errors"));
        try {
            awaitText(output, "begun");
            assertThat(eremite.run("record", "clean", "--all").errors()).contains("kept ", "is being recorded");
            CommandResult removed = eremite.run("record", "rm", "latest");
            assertThat(removed.status()).isEqualTo(125);
            assertThat(removed.errors()).contains("is being recorded (E207)");
            recorder.destroy();
            assertThat(recorder.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            Command.endTree(recorder);
        }
        Path serving = data.resolve("serving");
        Process server =
                eremite.command(List.of("replay", "--gdbserver-port", "0")).start(output, serving);
        try {
            awaitText(serving, "target extended-remote");
            assertThat(eremite.run("record", "clean", "--all").errors()).contains("kept ", "is in use by process");
        } finally {
            Command.endTree(server);
        }
        assertThat(recordings()).isEqualTo(1);
        assertThat(events()).isPositive();
        assertThat(eremite.run("record", "clean", "--all").errors()).contains("removed ");
    }

    private long recordings() throws IOException {
        try (var folders = Files.list(data.resolve("recordings"))) {
            return folders.count();
        }
    }

    private static void awaitText(Path file, String text) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!Files.exists(file) || !Files.readString(file).contains(text)) {
            assertThat(System.nanoTime()).as("no \"" + text + "\" in " + file).isLessThan(end);
            Thread.onSpinWait();
        }
    }
}
