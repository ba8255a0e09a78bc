package dev.eremite.replay.timeline;

import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.session.RecordingSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The processes of a recording. */
public final class ProcessTable {
    /**
     * A process.
     *
     * @param pid its recorded id
     * @param parent that of the task that made it; 0 for the first
     * @param start the number of the event before which it runs first: behind its first execve, or behind its birth if it
     *     executes no program
     * @param program the last program that it executed, or its parent's when it was born
     */
    public record Entry(int pid, int parent, long start, String program) {}

    private final Map<Integer, Entry> entries = new LinkedHashMap<>();
    private final List<Integer> executed = new ArrayList<>();

    private ProcessTable() {}

    /** Reads a recording through. */
    public static ProcessTable of(RecordingSource source) {
        ProcessTable table = new ProcessTable();
        for (long n = 0; n < source.size(); n++) {
            if (!source.changesTasks(n)) {
                continue;
            }
            switch (source.event(n)) {
                case Event.Syscall e -> table.add(n, e.task(), e.effect());
                case Event.SyscallExit e -> table.add(n, e.task(), e.effect());
                default -> {
                    // Only calls make processes.
                }
            }
        }
        return table;
    }

    private void add(long event, int task, Effect effect) {
        if (effect instanceof Effect.Spawn spawn && spawn.child() == spawn.process()) {
            String program = entries.containsKey(task) ? entries.get(task).program() : "";
            entries.put(spawn.child(), new Entry(spawn.child(), task, event + 1, program));
        } else if (effect instanceof Effect.Exec exec) {
            Entry before = entries.getOrDefault(task, new Entry(task, 0, event + 1, ""));
            // An earlier program of the same process is history that it can be followed back to.
            long start = executed.contains(task) ? before.start() : event + 1;
            executed.add(task);
            entries.put(
                    task, new Entry(task, before.parent(), start, exec.image().path()));
        }
    }

    /** All of them in the order in which they began. */
    public List<Entry> entries() {
        return List.copyOf(entries.values());
    }

    /** The one with that id. */
    public Optional<Entry> find(int pid) {
        return Optional.ofNullable(entries.get(pid));
    }
}
