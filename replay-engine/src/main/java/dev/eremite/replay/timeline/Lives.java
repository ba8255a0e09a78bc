package dev.eremite.replay.timeline;

import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.session.RecordingSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** When the processes and threads of a recording begin and end, and which programs they run: what a look at its end tells. */
final class Lives {
    /** One process. */
    static final class Life {
        private final int process;
        private final Life parent;
        private final long birth;
        private final boolean vfork;
        private final TreeMap<Long, String> programs = new TreeMap<>();
        private long end = Long.MAX_VALUE;

        private Life(int process, Life parent, long birth, boolean vfork) {
            this.process = process;
            this.parent = parent;
            this.birth = birth;
            this.vfork = vfork;
        }

        /** The recorded process id. */
        int process() {
            return process;
        }

        /** The process that made it; null for the first. */
        Life parent() {
            return parent;
        }

        /** The event that makes it. */
        long birth() {
            return birth;
        }

        /** Whether it exists in front of an event. */
        boolean existsBefore(long event) {
            return birth < event && event <= end;
        }

        /** Whether an event is its end. */
        boolean endsWith(long event) {
            return event == end;
        }

        /** Whether the event is what gives its parent's memory back to that (vfork(2)): its first execve, or its end. */
        boolean givesMemoryBack(long event) {
            Map.Entry<Long, String> first = programs.higherEntry(birth);
            return vfork && event == (first == null ? end : first.getKey());
        }

        /** The program that it runs in front of an event. */
        String programBefore(long event) {
            Map.Entry<Long, String> last = programs.lowerEntry(event);
            if (last != null) {
                return last.getValue();
            }
            return parent == null ? "" : parent.programBefore(birth + 1);
        }
    }

    /** All processes by id, in order of birth where an id recurs. */
    private final Map<Integer, List<Life>> processes = new HashMap<>();

    /** To which process a thread id belongs, by the event from which on it does. */
    private final Map<Integer, TreeMap<Long, Life>> threads = new HashMap<>();

    private final Map<Integer, Life> alive = new HashMap<>();
    private long[] special = new long[16];
    private int specials;

    private Lives() {}

    /** Whether there is one process in all. */
    boolean single() {
        return processes.size() == 1;
    }

    /** Reads a recording through. */
    static Lives of(RecordingSource source) {
        Lives lives = new Lives();
        for (long n = 0; n < source.size(); n++) {
            if (!source.changesTasks(n)) {
                continue;
            }
            Event event = source.event(n);
            Effect effect = EventStops.effect(event);
            if (effect instanceof Effect.Spawn spawn) {
                lives.spawn(n, event.task(), spawn);
            } else if (effect instanceof Effect.Exec exec) {
                lives.exec(n, event.task(), exec);
            } else if (event instanceof Event.TaskExit) {
                lives.exit(n, event.task());
            }
            if (effect instanceof Effect.Spawn
                    || effect instanceof Effect.Exec
                    || event instanceof Event.TaskExit
                    || event instanceof Event.Signal) {
                lives.addSpecial(n);
            }
        }
        lives.alive.clear();
        return lives;
    }

    private void addSpecial(long event) {
        if (specials == special.length) {
            special = Arrays.copyOf(special, 2 * specials);
        }
        special[specials++] = event;
    }

    private void spawn(long event, int task, Effect.Spawn spawn) {
        Life life = alive.get(task);
        if (spawn.child() == spawn.process()) {
            life = new Life(spawn.process(), life, event, spawn.vfork());
            processes.computeIfAbsent(life.process, p -> new ArrayList<>()).add(life);
        }
        join(spawn.child(), event, life);
    }

    private void join(int task, long event, Life life) {
        alive.put(task, life);
        threads.computeIfAbsent(task, t -> new TreeMap<>()).put(event, life);
    }

    private void exec(long event, int task, Effect.Exec exec) {
        Life life = alive.get(task);
        if (life == null) {
            life = new Life(task, null, event, false);
            processes.computeIfAbsent(task, p -> new ArrayList<>()).add(life);
        }
        Life same = life;
        alive.values().removeIf(other -> other == same);
        join(life.process, event, life);
        life.programs.put(event, exec.image().path());
    }

    private void exit(long event, int task) {
        Life life = alive.remove(task);
        if (life != null && !alive.containsValue(life)) {
            life.end = event;
        }
    }

    /** The last process of that id which is born before an event, or by it. */
    Optional<Life> of(int process, long event) {
        Life found = null;
        for (Life life : processes.getOrDefault(process, List.of())) {
            if (life.birth <= event) {
                found = life;
            }
        }
        return Optional.ofNullable(found);
    }

    /** The process to which the task of an event belongs. */
    Optional<Life> ofTask(int task, long event) {
        TreeMap<Long, Life> lives = threads.get(task);
        Map.Entry<Long, Life> entry = lives == null ? null : lives.floorEntry(event);
        return entry == null ? Optional.empty() : Optional.of(entry.getValue());
    }

    /** The last event before another that is a signal, or makes, ends or replaces a process or thread; −1 for none. */
    long specialBefore(long event) {
        int at = Arrays.binarySearch(special, 0, specials, event);
        int before = at >= 0 ? at - 1 : -at - 2;
        return before < 0 ? -1 : special[before];
    }
}
