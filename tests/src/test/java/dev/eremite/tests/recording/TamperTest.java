package dev.eremite.tests.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.replay.event.RegisterProof;
import dev.eremite.replay.event.RegisterValue;
import dev.eremite.replay.log.ChronicleEventLog;
import dev.eremite.replay.log.EventLog;
import dev.eremite.replay.store.DataDirectory;
import dev.eremite.tests.command.CommandResult;
import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.command.Folders;
import dev.eremite.tests.command.RecordReplay;
import dev.eremite.tests.guest.Guest;
import dev.eremite.tracer.linux.Reg;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Recordings whose checksums are all right, and whose events tell of something that the program does not do: the replay
 * says where it parts from the recording, whatever was changed.
 */
@Tag("slow")
class TamperTest {
    private static final int CHANGES = 25;
    private static final int WRITE = 1;

    private final long seed = Long.getLong("eremite.tests.seed", System.nanoTime());

    @Test
    void shouldReportEventCallExpectedAndActualAndTheEventsBefore() {
        Path original = record();
        List<Event> events = events(original);
        int changed = lastCall(events, WRITE);
        Event.Syscall write = (Event.Syscall) events.get(changed);
        long[] args = write.args().clone();
        args[2] += 3;
        events.set(changed, withArguments(write, args));

        CommandResult replayed = replay(original, events);

        assertThat(replayed.status()).isEqualTo(125);
        List<String> lines = replayed.errors().lines().toList();
        assertThat(lines.getFirst())
                .startsWith("eremite: divergence at event " + changed + ": expected ")
                .containsPattern("expected .*write\\(0x1, .*0x" + Long.toHexString(args[2]) + "[,)]")
                .containsPattern("but got .*write\\(0x1, .*0x" + Long.toHexString(args[2] - 3) + "[,)]")
                .endsWith("(E110)");
        for (int before = changed - 5; before < changed; before++) {
            String event = "event " + before + ": ";
            assertThat(lines)
                    .as(replayed.errors())
                    .anyMatch(line -> line.strip().startsWith(event));
        }
        Folders.delete(original);
    }

    @Test
    void shouldNeverHangNorCrash() {
        Path original = record();
        Random random = new Random(seed);
        int diverged = 0;
        for (int i = 0; i < CHANGES; i++) {
            List<Event> events = events(original);
            String context = "seed %d, change %d: %s".formatted(seed, i, change(events, random));
            CommandResult replayed = replay(original, events);
            // What the program itself does not look at, such as bytes that it only passes on, may be anything.
            if (replayed.errors().isEmpty()) {
                continue;
            }
            diverged++;
            assertThat(replayed.status()).as(context + "\n" + replayed.errors()).isEqualTo(125);
            assertThat(replayed.errors()).as(context).doesNotContain("Exception", "\tat ", "E900");
            assertThat(replayed.errors().lines().filter(line -> line.startsWith("eremite:")))
                    .as(context)
                    .hasSize(1);
        }
        assertThat(diverged).as("seed %d", seed).isPositive();
        Folders.delete(original);
    }

    private static Path record() {
        Path data = RecordReplay.newDataFolder("tamper-original");
        CommandResult recorded =
                new EremiteCommand(data).record(Guest.named("threads4").command());
        assertThat(recorded.status()).as(recorded.errors()).isZero();
        return data;
    }

    private static List<Event> events(Path data) {
        List<Event> events = new ArrayList<>();
        try (EventLog.Reader log =
                DataDirectory.at(data).open(DataDirectory.LATEST).openLog()) {
            for (long number = 0; number < log.size(); number++) {
                events.add(log.read(number));
            }
        }
        return events;
    }

    /** Replays a copy of the recording with other events, as many as it had. */
    private CommandResult replay(Path original, List<Event> events) {
        Path data = RecordReplay.newDataFolder("tamper");
        Folders.copy(original, data);
        Path log = DataDirectory.at(data).find(DataDirectory.LATEST).resolve("events");
        Folders.delete(log);
        try (EventLog.Writer writer = ChronicleEventLog.create(log)) {
            events.forEach(writer::append);
        }
        CommandResult replayed =
                new EremiteCommand(data).within(Duration.ofSeconds(30)).replay("latest");
        Folders.delete(data);
        return replayed;
    }

    private static int lastCall(List<Event> events, int number) {
        for (int i = events.size() - 1; i >= 0; i--) {
            if (events.get(i) instanceof Event.Syscall call && call.number() == number) {
                return i;
            }
        }
        throw new AssertionError("no call " + number);
    }

    private static Event.Syscall withArguments(Event.Syscall call, long[] args) {
        return new Event.Syscall(
                call.task(),
                call.proof(),
                call.number(),
                args,
                call.result(),
                call.writes(),
                call.stream(),
                call.effect());
    }

    /** Changes one random event in one random way; says how. */
    private static String change(List<Event> events, Random random) {
        int number = random.nextInt(1, events.size() - 1);
        switch (random.nextInt(4)) {
            case 0 -> {
                Collections.swap(events, number, number + 1);
                return "events " + number + " and the next swapped";
            }
            case 1 -> {
                events.set(number, events.get(random.nextInt(events.size())));
                return "event " + number + " replaced by another";
            }
            case 2 -> {
                // The number of events stays what the metadata says.
                events.add(events.remove(number));
                return "event " + number + " moved to the end";
            }
            default -> {
                Event before = events.get(number);
                events.set(number, changed(before, random));
                return "event " + number + " (" + before.getClass().getSimpleName() + ") changed";
            }
        }
    }

    private static Event changed(Event event, Random random) {
        UnaryOperator<RegisterProof> otherProof =
                proof -> new RegisterProof(proof.rip(), proof.rsp() + random.nextInt(2) * 8L, proof.hash() ^ 1);
        return switch (event) {
            case Event.Syscall e -> {
                long[] args = e.args().clone();
                args[random.nextInt(args.length)] ^= 1L << random.nextInt(64);
                int what = random.nextInt(4);
                yield new Event.Syscall(
                        e.task(),
                        what == 0 ? otherProof.apply(e.proof()) : e.proof(),
                        what == 1 ? random.nextInt(400) : e.number(),
                        what == 2 ? args : e.args(),
                        what == 3 ? random.nextLong(-4095, 4096) : e.result(),
                        e.writes(),
                        e.stream(),
                        e.effect());
            }
            case Event.SyscallEnter e ->
                new Event.SyscallEnter(e.task(), otherProof.apply(e.proof()), e.number(), e.args(), e.writes());
            case Event.SyscallExit e ->
                new Event.SyscallExit(
                        e.task(),
                        e.number(),
                        e.result() + 1,
                        List.of(new MemoryWrite(random.nextLong(), new byte[8])),
                        e.stream(),
                        e.effect());
            case Event.Instruction e ->
                new Event.Instruction(
                        e.task(), e.proof(), e.kind(), List.of(new RegisterValue(Reg.RIP, random.nextLong())));
            case Event.ClockTrap e -> new Event.ClockTrap(e.task() + 1, e.processor());
            case Event.Signal e ->
                new Event.Signal(
                        e.task(),
                        otherProof.apply(e.proof()),
                        e.signal(),
                        e.siginfo(),
                        e.origin(),
                        e.landmark(),
                        e.frame(),
                        e.registers());
            case Event.Preempt e -> new Event.Preempt(e.task(), otherProof.apply(e.proof()), e.landmark());
            case Event.TaskExit e -> new Event.TaskExit(e.task() + 1, e.status(), e.writes());
        };
    }
}
