package dev.eremite.tests.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.CommandResult;
import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.command.Folders;
import dev.eremite.tests.command.RecordReplay;
import dev.eremite.tests.guest.Guest;
import dev.eremite.tests.guest.GuestBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The engine dies by SIGKILL at random moments: no guest survives it, and what was recorded until then replays. */
@Tag("slow")
class KillNineTest {
    private static final int KILLS = 30;
    private static final String TICKS = "600";
    private static final long LONGEST_MS = 1800;

    private final long seed = Long.getLong("eremite.tests.seed", System.nanoTime());

    @Test
    void shouldLeaveNoGuestAndReplayableRecordingWhenRecorderIsKilled() throws IOException {
        Random random = new Random(seed);
        for (int kill = 0; kill < KILLS; kill++) {
            long moment = random.nextLong(LONGEST_MS);
            String context = "seed %d, kill %d of the recorder after %d ms".formatted(seed, kill, moment);
            Path data = RecordReplay.newDataFolder("kill");
            EremiteCommand eremite = new EremiteCommand(data);
            String printed = killed(eremite.recordCommand(ticker()), data, moment, context);
            checkCutRecording(eremite, printed, context);
            Folders.delete(data);
        }
    }

    @Test
    void shouldLeaveNoGuestAndWholeRecordingWhenReplayerIsKilled() throws IOException {
        Random random = new Random(seed);
        Path data = RecordReplay.newDataFolder("kill-replay");
        EremiteCommand eremite = new EremiteCommand(data);
        CommandResult recorded = eremite.record(ticker());
        assertThat(recorded.status()).as(recorded.errors()).isZero();
        long replayMs = eremite.replay("latest").elapsed().toMillis();
        for (int kill = 0; kill < KILLS; kill++) {
            long moment = random.nextLong(replayMs);
            String context = "seed %d, kill %d of the replayer after %d ms".formatted(seed, kill, moment);
            killed(eremite.replayCommand("latest"), data, moment, context);
        }
        assertThat(recorded.differenceTo(eremite.replay("latest")))
                .as("seed %d", seed)
                .isEmpty();
        Folders.delete(data);
    }

    private static List<String> ticker() {
        return List.of(GuestBuilder.build(Guest.named("ticker")).toString(), TICKS);
    }

    /** Starts a command, kills its process alone at the moment given, and returns what it had printed. */
    private static String killed(Command command, Path data, long momentMs, String context) throws IOException {
        Path output = Files.createTempFile(data, "out", "");
        Path errors = Files.createTempFile(data, "err", "");
        Process process = command.start(output, errors);
        List<ProcessHandle> children = new ArrayList<>();
        try {
            // The moment of the kill is what is tried here; an end before it is as good as any other moment.
            boolean ended = process.waitFor(momentMs, TimeUnit.MILLISECONDS);
            children.addAll(process.descendants().toList());
            process.destroyForcibly();
            process.waitFor();
            assertThat(ended && process.exitValue() != 0)
                    .as(context + Files.readString(errors))
                    .isFalse();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            Command.endTree(process);
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
        List<String> survivors = survivors(children, data);
        while (!survivors.isEmpty() && System.nanoTime() < end) {
            Thread.onSpinWait();
            survivors = survivors(children, data);
        }
        children.forEach(ProcessHandle::destroyForcibly);
        assertThat(survivors).as(context).isEmpty();
        String printed = Files.readString(output);
        Files.delete(output);
        Files.delete(errors);
        return printed;
    }

    /** Children of the killed engine that are still there, and processes that have its data folder in their environment. */
    private static List<String> survivors(List<ProcessHandle> children, Path data) throws IOException {
        List<String> found = new ArrayList<>();
        for (ProcessHandle child : children) {
            if (child.isAlive() && !isZombie(child.pid())) {
                found.add(child.pid() + " " + child.info().commandLine().orElse("?"));
            }
        }
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            for (Path process : (Iterable<Path>) processes::iterator) {
                if (process.getFileName().toString().matches("\\d+") && hasInEnvironment(process, data.toString())) {
                    found.add(process.toString());
                }
            }
        }
        return found;
    }

    /** Whether a dead process waits only for its new parent, which in a container may never ask for it. */
    private static boolean isZombie(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
            return stat.startsWith(") Z", stat.lastIndexOf(')'));
        } catch (IOException e) {
            // Gone since the question before.
            return true;
        }
    }

    private static boolean hasInEnvironment(Path process, String value) {
        try {
            return new String(Files.readAllBytes(process.resolve("environ")), StandardCharsets.ISO_8859_1)
                    .contains("EREMITE_DATA_DIR=" + value + "\0");
        } catch (IOException e) {
            // It ended meanwhile, or belongs to another user.
            return false;
        }
    }

    /** What was recorded replays: the same output up to the last whole event, and a line that says it is cut short. */
    private static void checkCutRecording(EremiteCommand eremite, String printed, String context) {
        CommandResult replayed = eremite.run("replay", "latest", "--autopilot");
        assertThat(replayed.errors()).as(context).doesNotContain("Exception", "\tat ");
        if (replayed.errors().contains("E205") || replayed.errors().contains("E202")) {
            // Killed before the recording had its first metadata, so before the guest did anything.
            assertThat(printed).as(context).isEmpty();
            return;
        }
        if (printed.endsWith("end\n") && !replayed.errors().contains("cut short")) {
            assertThat(replayed.status()).as(context + replayed.errors()).isZero();
        } else {
            assertThat(replayed.errors()).as(context).contains("cut short");
            assertThat(replayed.status()).as(context).isEqualTo(125);
        }
        // What was printed last may be on one side only: its event was still on its way to the log, or its write to us.
        String shorter = replayed.output().length() < printed.length() ? replayed.output() : printed;
        String longer = replayed.output().length() < printed.length() ? printed : replayed.output();
        assertThat(longer).as(context).startsWith(shorter);
    }
}
