package dev.eremite.tests.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.CommandResult;
import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.command.Folders;
import dev.eremite.tests.command.RecordReplay;
import dev.eremite.tests.guest.Guest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Damaged recordings: the replay is either right, where the damage hit bytes that nobody needs, or ends with one clear
 * line and status 125; it never hangs, never replays wrongly and never shows a stack trace.
 */
@Tag("slow")
class DamageTest {
    private static final int DAMAGES = 200;

    private final long seed = Long.getLong("eremite.tests.seed", System.nanoTime());

    /** One way to damage a file. */
    private interface Damage {
        byte[] apply(byte[] bytes, Random random);
    }

    private static final List<Damage> DAMAGES_KNOWN = List.of(
            DamageTest::flipBit,
            DamageTest::overwriteByte,
            DamageTest::truncate,
            DamageTest::zeroRange,
            DamageTest::randomRange,
            DamageTest::swapRanges,
            (bytes, random) -> new byte[0]);

    @Test
    void shouldReplayRightlyOrRefuseClearly() {
        Path original = RecordReplay.newDataFolder("damage-original");
        CommandResult recorded =
                new EremiteCommand(original).record(Guest.named("threads4").command());
        assertThat(recorded.status()).as(recorded.errors()).isZero();
        Random random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < DAMAGES; i++) {
            Path data = RecordReplay.newDataFolder("damage");
            Folders.copy(original, data);
            String context = "seed %d, damage %d: %s".formatted(seed, i, damage(data, random));
            CommandResult replayed =
                    new EremiteCommand(data).within(Duration.ofSeconds(30)).run("replay", "latest", "--autopilot");
            if (recorded.differenceTo(replayed).isEmpty()) {
                Folders.delete(data);
                continue;
            }
            refused++;
            assertThat(replayed.status()).as(context + "\n" + replayed.errors()).isEqualTo(125);
            assertThat(recorded.output()).as(context).startsWith(replayed.output());
            assertThat(replayed.errors()).as(context).doesNotContain("Exception", "\tat ", "E900");
            assertThat(replayed.errors().lines().filter(line -> line.startsWith("eremite:")))
                    .as(context)
                    .hasSize(1);
            Folders.delete(data);
        }
        assertThat(refused).as("seed %d", seed).isPositive();
        Folders.delete(original);
    }

    /** Damages one random file; returns what was done. */
    private static String damage(Path data, Random random) {
        List<Path> files =
                Folders.files(data).stream().filter(file -> size(file) > 0).toList();
        // The log, the blobs and the metadata get their turns, however many blobs there are.
        List<Path> small = new ArrayList<>(
                files.stream().filter(file -> !isBlob(data, file)).toList());
        Path file = random.nextInt(4) == 0 || small.isEmpty()
                ? files.get(random.nextInt(files.size()))
                : small.get(random.nextInt(small.size()));
        int kind = random.nextInt(DAMAGES_KNOWN.size());
        try {
            byte[] bytes = Files.readAllBytes(file);
            byte[] damaged = DAMAGES_KNOWN.get(kind).apply(bytes.clone(), random);
            boolean writable = file.toFile().setWritable(true);
            Files.write(file, damaged);
            int first = Arrays.mismatch(bytes, damaged);
            return "kind %d, %s, %d bytes, first at %d, writable %b"
                    .formatted(kind, data.relativize(file), bytes.length, first, writable);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isBlob(Path data, Path file) {
        return data.relativize(file).toString().contains("blob");
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] flipBit(byte[] bytes, Random random) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        return bytes;
    }

    private static byte[] overwriteByte(byte[] bytes, Random random) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        return bytes;
    }

    private static byte[] truncate(byte[] bytes, Random random) {
        return Arrays.copyOf(bytes, random.nextInt(bytes.length));
    }

    private static byte[] zeroRange(byte[] bytes, Random random) {
        int start = random.nextInt(bytes.length);
        Arrays.fill(bytes, start, Math.min(bytes.length, start + 1 + random.nextInt(4096)), (byte) 0);
        return bytes;
    }

    private static byte[] randomRange(byte[] bytes, Random random) {
        int start = random.nextInt(bytes.length);
        for (int i = start; i < Math.min(bytes.length, start + 64); i++) {
            bytes[i] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    private static byte[] swapRanges(byte[] bytes, Random random) {
        int length = Math.min(64, bytes.length / 2);
        int left = random.nextInt(bytes.length - length + 1);
        int right = random.nextInt(bytes.length - length + 1);
        byte[] copy = bytes.clone();
        System.arraycopy(copy, left, bytes, right, length);
        return bytes;
    }
}
