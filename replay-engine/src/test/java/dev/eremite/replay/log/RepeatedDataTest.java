package dev.eremite.replay.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.MemoryWrite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RepeatedDataTest {
    /** The polynomial of CRC-32C: data that differs by it, at any bit, has the same checksum. */
    private static final long POLYNOMIAL = 0x1_1EDC_6F41L;

    @TempDir
    Path folder;

    /** Logs data, checks that it comes back in any order, and tells how many bytes the log takes. */
    private long logged(List<byte[]> data, long seed) {
        Path log = folder.resolve("events");
        try (EventLog.Writer writer = ChronicleEventLog.create(log)) {
            for (byte[] bytes : data) {
                writer.append(new Event.TaskExit(1, 0, List.of(new MemoryWrite(4096, bytes))));
            }
        }
        try (EventLog.Reader reader = ChronicleEventLog.open(log)) {
            for (int i = 0; i < data.size(); i++) {
                assertThat(content(reader, i)).as("seed %d, event %d", seed, i).isEqualTo(data.get(i));
            }
            Random random = new Random(seed);
            for (int i = 0; i < data.size(); i++) {
                int number = random.nextInt(data.size());
                assertThat(content(reader, number))
                        .as("seed %d, event %d", seed, number)
                        .isEqualTo(data.get(number));
            }
        }
        try (Stream<Path> files = Files.list(log)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] content(EventLog.Reader reader, long number) {
        return ((Event.TaskExit) reader.read(number)).writes().getFirst().bytes();
    }

    private static byte[] noise(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    @Test
    void shouldStoreOnceWhatRepeats() {
        Random random = new Random(11);
        List<byte[]> pages =
                Stream.generate(() -> noise(random, 4096)).limit(500).toList();
        List<byte[]> data = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            data.add(pages.get(random.nextInt(pages.size())).clone());
        }
        // Twice: with the event that has it first, and aside.
        assertThat(logged(data, 11)).isLessThan(500 * 4096 * 2 + 20_000 * 30 + (1 << 20));
    }

    @Test
    void shouldReturnDataOfAllSizesWhetherItRepeatsOrNot() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<byte[]> data = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            int length = random.nextInt(1 << random.nextInt(8, 20)) + (i % 50 == 0 ? RepeatedData.LONGEST : 0);
            boolean again = i > 0 && random.nextInt(3) == 0;
            byte[] bytes = again ? data.get(random.nextInt(i)).clone() : noise(random, length);
            if (random.nextInt(4) == 0) {
                Arrays.fill(bytes, 0, bytes.length / 2, (byte) 0);
            }
            data.add(bytes);
        }
        logged(data, seed);
    }

    @Test
    void shouldTellDataApartThatHasTheSameChecksum() {
        byte[] one = noise(new Random(5), 4096);
        byte[] other = one.clone();
        for (int i = 0; i <= 32; i++) {
            if ((POLYNOMIAL >> 32 - i & 1) != 0) {
                other[100 + i / 8] ^= (byte) (1 << i % 8);
            }
        }
        assertThat(checksum(other)).isEqualTo(checksum(one));
        assertThat(other).isNotEqualTo(one);
        List<byte[]> data = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            data.addAll(List.of(one, other));
        }
        logged(data, 5);
    }

    private static long checksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, bytes.length);
        return crc.getValue();
    }

    @Test
    void shouldForgetWhatWasLongAgo() {
        RepeatedData repeated = new RepeatedData();
        byte[] first = noise(new Random(1), 5000);
        assertThat(repeated.find(first)).isNull();
        assertThat(repeated.find(first.clone())).isNotNull();
        Random random = new Random(2);
        for (int i = 0; i < 20 << 20; i += 100_000) {
            assertThat(repeated.find(noise(random, 100_000))).isNull();
        }
        assertThat(repeated.find(first)).isNull();
    }
}
