package dev.eremite.replay.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.replay.log.EventLog;
import dev.eremite.replay.log.EventText;
import dev.eremite.replay.log.RandomEvents;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A recorder that is killed without warning leaves what it had appended but for the last moment. */
@Timeout(120)
class KillTest {
    private static final RecordingStart START =
            new RecordingStart("0.1.0", List.of("prog"), "/", List.of(), "/bin/prog", "k", "c");

    /** Events that the writer's thread may still have had before it. */
    private static final int UNDER_WAY = 4096;

    @TempDir
    Path folder;

    /** The process to kill: appends for ever, and tells how far it is. */
    static final class Recorder {
        private Recorder() {}

        public static void main(String[] args) {
            RecordingBuilder builder = DataDirectory.at(Path.of(args[0])).begin(START);
            RandomEvents events = new RandomEvents(21, 600);
            for (int i = 0; ; i++) {
                builder.file("/file/" + i % 50, builder.blobs().put(new byte[i % 50]));
                long number = builder.log().append(events.next(i));
                if (number % 500 == 0) {
                    System.out.println(number);
                }
            }
        }
    }

    @Test
    void shouldKeepWhatWasAppendedBeforeAKill() throws IOException, InterruptedException {
        for (int round = 1; round <= 3; round++) {
            long told = recordAndKill(5000L * round);
            DataDirectory data = DataDirectory.at(folder);
            assertThat(data.recordings().getLast().state()).isEqualTo("cut short");
            Recording recording = data.open(DataDirectory.LATEST);
            assertThat(recording.files()).hasSize(50);
            try (EventLog.Reader reader = recording.openLog()) {
                assertThat(reader.complete()).isFalse();
                assertThat(reader.size()).isGreaterThan(told - UNDER_WAY);
                RandomEvents events = new RandomEvents(21, 600);
                for (int i = 0; i < reader.size(); i++) {
                    assertThat(EventText.of(reader.read(i))).isEqualTo(EventText.of(events.next(i)));
                }
            }
            data.remove(DataDirectory.LATEST);
        }
    }

    private long recordAndKill(long after) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow()));
        // The same flags as this JVM has, which the queue needs.
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(
                List.of("-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), Recorder.class.getName()));
        command.add(folder.toString());
        Path errors = folder.resolve("errors");
        Process process =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        long told = -1;
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null && told < after; line = out.readLine()) {
                told = Long.parseLong(line);
            }
        } finally {
            process.destroyForcibly();
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(told).as(Files.readString(errors)).isGreaterThanOrEqualTo(after);
        return told;
    }
}
