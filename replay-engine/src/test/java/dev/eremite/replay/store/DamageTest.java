package dev.eremite.replay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.eremite.replay.log.EventLog;
import dev.eremite.replay.log.EventText;
import dev.eremite.replay.log.LogException;
import dev.eremite.replay.log.RandomEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever happens to a recording's files: it reads as before, or one clear error says what is wrong. */
@Timeout(120)
class DamageTest {
    private static final int EVENTS = 400;

    @TempDir
    Path folder;

    private Path recording;
    private String whole;

    @BeforeEach
    void record() throws IOException {
        RecordingStart start =
                new RecordingStart("0.1.0", List.of("prog"), "/", List.of("A=1", "B=2"), "/bin/prog", "k", "c");
        RandomEvents events = new RandomEvents(11, 2500);
        try (RecordingBuilder builder = DataDirectory.at(folder.resolve("data")).begin(start)) {
            for (int i = 0; i < EVENTS; i++) {
                builder.log().append(events.next(i));
            }
            byte[] library = new byte[9000];
            new Random(4).nextBytes(library);
            builder.log().append(new RandomEvents(12, 300_000).next(0));
            builder.file("/lib/a", builder.blobs().put(library));
            builder.file("/lib/b", builder.blobs().put(new byte[0]));
            builder.finish(0, 0);
            recording = builder.directory();
        }
        whole = read();
    }

    /** All that a recording holds, as text. */
    private String read() throws IOException {
        StringBuilder text = new StringBuilder();
        Recording opened = Recording.open(recording);
        text.append(EventText.of(opened.info())).append(opened.files());
        for (String blob : opened.files().values()) {
            text.append(Arrays.hashCode(Files.readAllBytes(opened.blob(blob))));
        }
        try (EventLog.Reader reader = opened.openLog()) {
            for (long i = 0; i < reader.size(); i++) {
                text.append(EventText.of(reader.read(i))).append('\n');
            }
        }
        return text.toString();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(recording)) {
            // The queue's table of contents is Chronicle's own; nothing of ours is read from it.
            return all.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().endsWith(".cq4t"))
                    .sorted()
                    .toList();
        }
    }

    private static byte[] damage(byte[] bytes, int kind, Random random) {
        int at = random.nextInt(Math.max(bytes.length, 1));
        byte[] damaged = bytes.clone();
        switch (kind) {
            case 0 -> damaged[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> damaged = Arrays.copyOf(damaged, at);
            case 2 -> Arrays.fill(damaged, at, Math.min(damaged.length, at + random.nextInt(1, 5000)), (byte) 0);
            case 3 -> {
                byte[] noise = new byte[Math.min(damaged.length - at, random.nextInt(1, 100))];
                random.nextBytes(noise);
                System.arraycopy(noise, 0, damaged, at, noise.length);
            }
            default -> {
                int length = Math.min(damaged.length - at, random.nextInt(1, 2000));
                System.arraycopy(bytes, at, damaged, random.nextInt(damaged.length - length + 1), length);
            }
        }
        return damaged;
    }

    @Test
    void shouldNoticeAnyDamage() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<Path> files = files();
        assertThat(files).hasSizeGreaterThanOrEqualTo(5);
        int noticed = 0;
        for (int round = 0; round < 300; round++) {
            Path file = files.get(round % files.size());
            byte[] before = Files.readAllBytes(file);
            if (before.length == 0) {
                continue;
            }
            int kind = random.nextInt(5);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            Files.write(file, damage(before, kind, random));
            String what = "seed " + seed + " round " + round + " damage " + kind + " of " + file.getFileName();
            try {
                assertThat(read().equals(whole)).as(what).isTrue();
            } catch (LogException e) {
                noticed++;
                assertThat(e.getMessage()).as(what).isNotBlank().doesNotContain("\n");
            } catch (RuntimeException | Error e) {
                fail(what, e);
            }
            Files.write(file, before);
        }
        assertThat(noticed).as("seed " + seed).isGreaterThan(100);
        assertThat(read()).isEqualTo(whole);
    }

    @Test
    void shouldNoticeEmptyAndMissingFiles() throws IOException {
        for (Path file : files()) {
            byte[] before = Files.readAllBytes(file);
            // What is found out faster by the checksums is found out without them, too.
            if (before.length == 0 || file.endsWith(BlobChecksums.NAME)) {
                continue;
            }
            Files.delete(file);
            assertNoticed(file);
            Files.createFile(file);
            assertNoticed(file);
            Files.write(file, before);
        }
        assertThat(read()).isEqualTo(whole);
    }

    private void assertNoticed(Path file) throws IOException {
        try {
            read();
        } catch (LogException e) {
            assertThat(e.getMessage()).contains(recording.getFileName().toString());
            return;
        }
        fail(file + " is gone, and nobody minds");
    }

    @Test
    void shouldCompareBlobsWithTheirNamesWhereChecksumsAreWrong() throws IOException {
        Path checksums = recording.resolve(BlobChecksums.NAME);
        String right = Files.readString(checksums);
        assertThat(right.lines()).hasSize(2);
        Files.delete(checksums);
        assertThat(read()).isEqualTo(whole);
        for (String wrong : List.of("", right.substring(0, 70), right.replaceAll(" [0-9a-f]{8}", " 01234567"))) {
            Files.writeString(checksums, wrong);
            assertThat(read()).isEqualTo(whole);
        }
    }

    @Test
    void shouldReadAPrefixOfACutLog() throws IOException {
        Path log = recording.resolve("events/19700101H.cq4");
        byte[] bytes = Files.readAllBytes(log);
        List<String> expected = new ArrayList<>();
        RandomEvents events = new RandomEvents(11, 2500);
        for (int i = 0; i < EVENTS; i++) {
            expected.add(EventText.of(events.next(i)));
        }
        Random random = new Random(5);
        for (int round = 0; round < 40; round++) {
            int length = 40_000 + random.nextInt(bytes.length - 40_000);
            Files.write(log, Arrays.copyOf(bytes, length));
            try (EventLog.Reader reader = dev.eremite.replay.log.ChronicleEventLog.open(log.getParent())) {
                for (long i = 0; i < Math.min(reader.size(), EVENTS); i++) {
                    assertThat(EventText.of(reader.read(i))).isEqualTo(expected.get((int) i));
                }
            }
        }
    }
}
