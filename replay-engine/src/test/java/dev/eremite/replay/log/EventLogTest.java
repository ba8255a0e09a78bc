package dev.eremite.replay.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.replay.event.RegisterProof;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class EventLogTest {
    @TempDir
    Path folder;

    private Path log() {
        return folder.resolve("events");
    }

    private List<Event> record(long seed, int count, int largest) {
        RandomEvents source = new RandomEvents(seed, largest);
        List<Event> events = new ArrayList<>();
        try (EventLog.Writer writer = ChronicleEventLog.create(log())) {
            for (int i = 0; i < count; i++) {
                events.add(source.next(i));
                assertThat(writer.append(events.get(i))).isEqualTo(i);
            }
        }
        return events;
    }

    private static void assertSame(Event actual, Event expected, String what) {
        // AssertJ's recursion is slow on long arrays, so that equal text of all fields decides.
        assertThat(EventText.of(actual)).as(what).isEqualTo(EventText.of(expected));
    }

    @Test
    void shouldReturnEveryEventInOrderAndAtRandom() {
        long seed = System.nanoTime();
        List<Event> events = record(seed, 3000, 3000);
        try (EventLog.Reader reader = ChronicleEventLog.open(log())) {
            assertThat(reader.size()).isEqualTo(events.size());
            assertThat(reader.complete()).isTrue();
            for (int i = 0; i < events.size(); i++) {
                assertSame(reader.read(i), events.get(i), "seed " + seed + " event " + i);
            }
            Random random = new Random(seed);
            for (int i = 0; i < 3000; i++) {
                int number = random.nextInt(events.size());
                assertSame(reader.read(number), events.get(number), "seed " + seed + " event " + number);
            }
        }
    }

    /** A spilled event may be said to be one of them. */
    @Test
    void shouldTellWithoutReadingWhichEventsChangeTasks() {
        long seed = System.nanoTime();
        List<Event> events = record(seed, 3000, 300);
        try (EventLog.Reader reader = ChronicleEventLog.open(log())) {
            for (int i = 0; i < events.size(); i++) {
                Event event = events.get(i);
                Effect effect = event instanceof Event.Syscall call
                        ? call.effect()
                        : event instanceof Event.SyscallExit exit ? exit.effect() : Effect.None.INSTANCE;
                assertThat(reader.changesTasks(i))
                        .as("seed " + seed + " event " + i)
                        .isEqualTo(event instanceof Event.Signal
                                || event instanceof Event.TaskExit
                                || effect instanceof Effect.Spawn
                                || effect instanceof Effect.Exec);
                int call = event instanceof Event.Syscall whole
                        ? whole.number()
                        : event instanceof Event.SyscallEnter enter
                                ? enter.number()
                                : event instanceof Event.SyscallExit exit ? exit.number() : -1;
                assertThat(reader.call(i)).as("seed " + seed + " event " + i).isEqualTo(call);
                if (i % 7 == 0) {
                    assertSame(reader.read(i), event, "seed " + seed + " event " + i);
                }
            }
        }
    }

    @Test
    void shouldKeepDataOfMegabytes() {
        List<Event> events = record(7, 35, 2 << 20);
        try (EventLog.Reader reader = ChronicleEventLog.open(log())) {
            for (int i = events.size() - 1; i >= 0; i--) {
                assertSame(reader.read(i), events.get(i), "event " + i);
            }
        }
    }

    @Test
    void shouldKeepAnEventOfManySmallWrites() {
        List<MemoryWrite> writes = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            writes.add(new MemoryWrite(i * 4096L, new byte[100]));
        }
        Event event = new Event.TaskExit(5, 0, writes);
        try (EventLog.Writer writer = ChronicleEventLog.create(log())) {
            writer.append(event);
        }
        try (EventLog.Reader reader = ChronicleEventLog.open(log())) {
            assertSame(reader.read(0), event, "the event");
        }
    }

    @Test
    void shouldStoreATypicalReadInFewBytes() {
        long[] args = {3, 0x5555_5557_92a0L, 4096, 0x7fff_f7fa_1ac0L, 0, 0x7fff_f7fa_1b20L};
        Event read = new Event.Syscall(
                4711,
                new RegisterProof(0x7fff_f7d1_2345L, 0x7fff_ffff_d8a8L, 0x12345678),
                0,
                args,
                100,
                List.of(new MemoryWrite(args[1], new byte[100])),
                0,
                Effect.None.INSTANCE);
        ByteWriter out = new ByteWriter();
        try (EventEncoder encoder = new EventEncoder(out, new BulkFile(folder, true))) {
            encoder.encode(read);
        }
        int checksum = Integer.BYTES;
        assertThat(out.position() + checksum - 100).isLessThanOrEqualTo(40);
    }

    @Test
    void shouldCutTheTail() throws IOException {
        record(1, 10, 100);
        assertThat(Files.size(log().resolve(ChronicleEventLog.QUEUE_FILE))).isLessThan(64 << 10);
    }

    @Test
    void shouldReadAnEmptyRecording() {
        record(1, 0, 100);
        try (EventLog.Reader reader = ChronicleEventLog.open(log())) {
            assertThat(reader.size()).isZero();
            assertThat(reader.complete()).isTrue();
            assertThatThrownBy(() -> reader.read(0)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void shouldShowAnAbandonedLogAsCutShort() {
        RandomEvents source = new RandomEvents(3, 2000);
        try (EventLog.Writer writer = ChronicleEventLog.create(log())) {
            for (int i = 0; i < 100; i++) {
                writer.append(source.next(i));
            }
            writer.abandon();
        }
        try (EventLog.Reader reader = ChronicleEventLog.open(log())) {
            assertThat(reader.size()).isEqualTo(100);
            assertThat(reader.complete()).isFalse();
            assertSame(reader.read(0), new RandomEvents(3, 2000).next(0), "the first event");
        }
    }

    @Test
    void shouldReadWhileItIsBeingWritten() {
        RandomEvents source = new RandomEvents(3, 200);
        try (EventLog.Writer writer = ChronicleEventLog.create(log())) {
            // More than can be under way, so that some are in the file.
            for (int i = 0; i < EventRing.CAPACITY + 100; i++) {
                writer.append(source.next(i));
            }
            try (EventLog.Reader reader = ChronicleEventLog.open(log())) {
                assertThat(reader.size()).isPositive();
                assertThat(reader.complete()).isFalse();
                assertSame(reader.read(0), new RandomEvents(3, 200).next(0), "the first event");
            }
        }
    }

    @Test
    void shouldReportAFolderThatCannotBeWritten() throws IOException {
        Path blocked = Files.createFile(folder.resolve("file")).resolve("events");
        EventLog.Writer writer = ChronicleEventLog.create(blocked);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 3 * EventRing.CAPACITY; i++) {
                        writer.append(new RandomEvents(1, 10).next(1));
                    }
                    writer.close();
                })
                .isInstanceOf(LogException.class)
                .hasMessageContaining(blocked.getParent().toString());
        writer.abandon();
    }

    @Test
    void shouldRefuseAFolderWithoutLog() {
        assertThatThrownBy(() -> ChronicleEventLog.open(log()))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("missing");
    }
}
