package dev.eremite.cli.command;

import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.replay.log.EventLog;
import dev.eremite.replay.log.LogException;
import dev.eremite.replay.store.Recording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a recording consists of: how many events of which kind with how much of the guest's memory, and files. */
final class RecordingStatistics {
    private final Map<String, long[]> kinds = new TreeMap<>();
    private long files;
    private long fileBytes;

    private RecordingStatistics() {}

    /** Counts a recording. Throws LogException where it cannot be read. */
    static RecordingStatistics of(Recording recording) {
        RecordingStatistics statistics = new RecordingStatistics();
        try (EventLog.Reader log = recording.openLog()) {
            for (long number = 0; number < log.size(); number++) {
                statistics.count(log.read(number));
            }
        }
        Set<String> blobs = new TreeSet<>(recording.files().values());
        for (String blob : blobs) {
            Path file = recording.blob(blob);
            try {
                statistics.fileBytes += Files.size(file);
            } catch (IOException e) {
                throw LogException.ofIo("cannot look at " + file, e);
            }
        }
        statistics.files = blobs.size();
        return statistics;
    }

    private void count(Event event) {
        switch (event) {
            case Event.Syscall e -> add(name(e.effect()), bytes(e.writes()) + bytes(e.effect()));
            case Event.SyscallEnter e -> add("waiting calls", bytes(e.writes()));
            case Event.SyscallExit e -> add("returns of waiting calls", bytes(e.writes()) + bytes(e.effect()));
            case Event.Instruction e -> add("instructions", 0);
            case Event.ClockTrap e -> add("clock traps", 0);
            case Event.Signal e ->
                add("signals", e.frame() == null ? 0 : e.frame().bytes().length);
            case Event.Preempt e -> add("preemptions", 0);
            case Event.TaskExit e -> add("ends of tasks", bytes(e.writes()));
        }
    }

    private static String name(Effect effect) {
        return effect instanceof Effect.Exec ? "programs" : "calls";
    }

    private static long bytes(Effect effect) {
        return switch (effect) {
            case Effect.Exec exec -> bytes(exec.image().contents());
            case Effect.Store store -> store.bytes().length;
            case null, default -> 0;
        };
    }

    private static long bytes(List<MemoryWrite> writes) {
        return writes.stream().mapToLong(write -> write.bytes().length).sum();
    }

    private void add(String kind, long bytes) {
        long[] sums = kinds.computeIfAbsent(kind, name -> new long[2]);
        sums[0]++;
        sums[1] += bytes;
    }

    /** How many events of each kind there are. */
    Map<String, Long> events() {
        return column(0);
    }

    /** How many bytes of the guest's memory came with each kind of event. */
    Map<String, Long> bytes() {
        return column(1);
    }

    /** How many bytes the files have that the recording holds, each content once. */
    long fileBytes() {
        return fileBytes;
    }

    private Map<String, Long> column(int number) {
        Map<String, Long> column = new TreeMap<>();
        kinds.forEach((kind, sums) -> column.put(kind, sums[number]));
        return column;
    }

    /** A line for each kind, without an end. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        kinds.forEach((kind, sums) -> lines.add("%,d %s, %,d bytes of memory".formatted(sums[0], kind, sums[1])));
        lines.add("%,d files, %,d bytes".formatted(files, fileBytes));
        return lines;
    }
}
