package dev.eremite.tests.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.command.Folders;
import dev.eremite.tests.command.RecordReplay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Who wants the processor that a guest and its engine share makes them move to one that is idle. Where none is idle for
 * three windows in a row, they may stay.
 */
@Tag("slow")
class ProcessorShareTest {
    /** It tells its own process id, and computes until it is killed. */
    private static final List<String> GUEST = List.of("bash", "-c", "echo $$; while :; do :; done");

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final long MOVE_NANOS = 8_000_000_000L;
    private static final long WINDOW_MS = 500;

    /** So much of a window's 50 hundredths of a second without work makes a processor idle. */
    private static final long IDLE_TICKS = 40;

    @Test
    void shouldMoveRecordingAwayFromBusyProcessor() throws IOException, InterruptedException {
        assumeThat(Runtime.getRuntime().availableProcessors()).isGreaterThan(1);
        Path data = RecordReplay.newDataFolder("share");
        Path out = data.resolveSibling(data.getFileName() + ".out");
        Path err = data.resolveSibling(data.getFileName() + ".err");
        EremiteCommand eremite = new EremiteCommand(data).within(LIMIT);
        Process recorder = eremite.recordCommand(GUEST).start(out, err);
        Process rival = null;
        try {
            long pid = guest(out);
            int first = processor(pid);
            rival = new Command(List.of("taskset", "-c", Integer.toString(first), "bash", "-c", "while :; do :; done"))
                    .start(Path.of("/dev/null"), Path.of("/dev/null"));
            int idleWindows = 0;
            int longest = 0;
            Map<Integer, Long> before = idleTicks();
            long end = System.nanoTime() + MOVE_NANOS;
            while (processor(pid) == first && System.nanoTime() < end) {
                Thread.sleep(WINDOW_MS);
                Map<Integer, Long> now = idleTicks();
                boolean idle = now.entrySet().stream()
                        .anyMatch(
                                one -> one.getKey() != first && one.getValue() - before.get(one.getKey()) > IDLE_TICKS);
                idleWindows = idle ? idleWindows + 1 : 0;
                longest = Math.max(longest, idleWindows);
                before.putAll(now);
            }
            if (processor(pid) == first) {
                assumeThat(longest)
                        .as("windows in which another processor was idle")
                        .isGreaterThanOrEqualTo(3);
            }
            assertThat(processor(pid)).as("the guest's processor").isNotIn(first, -1);
        } finally {
            Command.endTree(recorder);
            if (rival != null) {
                Command.endTree(rival);
            }
            Folders.delete(data);
            Files.deleteIfExists(out);
            Files.deleteIfExists(err);
        }
    }

    private static long guest(Path out) throws IOException, InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        String text = "";
        while (!text.endsWith("\n") && System.nanoTime() < end) {
            Thread.sleep(20);
            text = Files.exists(out) ? Files.readString(out) : "";
        }
        return Long.parseLong(text.strip());
    }

    /** The processor that a process was on last (proc_pid_stat(5), field 39); −1 when it is gone. */
    private static int processor(long pid) throws IOException {
        Path stat = Path.of("/proc/" + pid + "/stat");
        String text = Files.exists(stat) ? Files.readString(stat) : "";
        String[] fields = text.substring(text.lastIndexOf(')') + 1).strip().split(" ");
        return fields.length < 37 ? -1 : Integer.parseInt(fields[36]);
    }

    /** For each processor its time without work, in hundredths of a second (proc_stat(5)). */
    private static Map<Integer, Long> idleTicks() throws IOException {
        Map<Integer, Long> ticks = new HashMap<>();
        for (String line : Files.readAllLines(Path.of("/proc/stat"))) {
            String[] words = line.split(" +");
            if (words[0].matches("cpu\\d+")) {
                ticks.put(Integer.parseInt(words[0].substring(3)), Long.parseLong(words[4]));
            }
        }
        return ticks;
    }
}
