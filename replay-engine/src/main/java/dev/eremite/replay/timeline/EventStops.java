package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.ProcessEvent;
import dev.eremite.replay.debug.Stop.Reason;
import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.session.RecordingSource;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.timeline.EventStop.Ways;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which events of the recording a debugger is told of: signals, system calls that it catches, and births, ends and new
 * programs of the processes that it sees. Each event has stops in front of it and behind it, in the order in which they are
 * told going forward.
 */
final class EventStops {
    /**
     * Where a search backwards for such stops ends.
     *
     * @param goal the place
     * @param index which of the stops there; −1 where the history of what the debugger sees begins
     */
    record Candidate(Goal goal, int index) {
        boolean begin() {
            return index < 0;
        }
    }

    private final DebugScope scope;
    private final RecordingSource source;
    private final long first;
    private Lives lives;

    /**
     * The stops of a recording.
     *
     * @param first the event in front of which history begins
     */
    EventStops(DebugScope scope, RecordingSource source, long first) {
        this.scope = scope;
        this.source = source;
        this.first = first;
    }

    Lives lives() {
        if (lives == null) {
            lives = Lives.of(source);
        }
        return lives;
    }

    /** What an event does besides memory and registers. */
    static Effect effect(Event event) {
        return switch (event) {
            case Event.Syscall call -> call.effect();
            case Event.SyscallExit exit -> exit.effect();
            default -> Effect.None.INSTANCE;
        };
    }

    /** All stops at the place of a session. */
    List<EventStop> at(ReplaySession session) {
        long next = session.position();
        if (session.moved() || session.ranToEvent()) {
            return session.ranToEvent() ? before(next) : List.of();
        }
        return atBoundary(next);
    }

    /** How many of the stops at the place of a session belong to the event behind it. */
    int afterEvent(ReplaySession session) {
        boolean boundary = !session.moved() && !session.ranToEvent();
        return boundary ? after(session.position() - 1).size() : 0;
    }

    private List<EventStop> atBoundary(long next) {
        List<EventStop> stops = new ArrayList<>(after(next - 1));
        if (next < source.size() && !ReplaySession.needsRun(source.event(next))) {
            stops.addAll(before(next));
        }
        return stops;
    }

    /** Whether going forward something is told in front of the event that a session has arrived at. */
    boolean tellsBefore(ReplaySession session) {
        return tells(before(session.position()), true);
    }

    /** Whether going forward something is told behind the event that a session has just applied. */
    boolean tellsAfter(ReplaySession session) {
        return tells(after(session.position() - 1), true);
    }

    static boolean tells(List<EventStop> stops, boolean forward) {
        return stops.stream().anyMatch(stop -> stop.told(forward));
    }

    private boolean sees(int task, long event) {
        return lives().ofTask(task, event).map(this::sees).orElse(false);
    }

    private boolean sees(Lives.Life life) {
        return life != null && scope.sees(life.process());
    }

    private int process(int task, long event) {
        return lives().ofTask(task, event).map(Lives.Life::process).orElse(task);
    }

    private List<EventStop> before(long index) {
        Event event = source.event(index);
        switch (event) {
            case Event.Signal signal -> {
                return scope.wants(signal.signal()) && sees(signal.task(), index)
                        ? List.of(new EventStop(
                                Reason.SIGNAL,
                                process(signal.task(), index),
                                signal.task(),
                                signal.signal(),
                                Ways.BOTH))
                        : List.of();
            }
            case Event.TaskExit exit -> {
                Optional<Lives.Life> life = lives().ofTask(exit.task(), index);
                return life.isPresent() && life.get().endsWith(index) && sees(life.get())
                        ? List.of(new EventStop(Reason.APPEARED, life.get().process(), exit.task(), 0, Ways.BACKWARD))
                        : List.of();
            }
            case Event.Syscall call -> {
                List<EventStop> stops = new ArrayList<>(entry(index, call.task(), call.number()));
                stops.addAll(beforeEffect(index, call.task(), call.effect()));
                return stops;
            }
            case Event.SyscallEnter enter -> {
                return entry(index, enter.task(), enter.number());
            }
            case Event.SyscallExit exit -> {
                return beforeEffect(index, exit.task(), exit.effect());
            }
            case Event.Instruction ignored -> {
                return List.of();
            }
            case Event.ClockTrap ignored -> {
                return List.of();
            }
            case Event.Preempt ignored -> {
                return List.of();
            }
        }
    }

    private List<EventStop> entry(long index, int task, int number) {
        return scope.catches(number) && sees(task, index)
                ? List.of(new EventStop(Reason.SYSCALL_ENTRY, process(task, index), task, number, Ways.BOTH))
                : List.of();
    }

    /** What is told going backwards over a birth or a new program. */
    private List<EventStop> beforeEffect(long index, int task, Effect effect) {
        List<EventStop> stops = new ArrayList<>();
        if (effect instanceof Effect.Exec && index > first && scope.tells(ProcessEvent.EXEC) && sees(task, index)) {
            int process = process(task, index);
            String old = lives().of(process, index)
                    .map(life -> life.programBefore(index))
                    .orElse("");
            stops.add(new EventStop(Reason.EXEC, process, task, 0, old, Ways.BACKWARD));
        }
        if (effect instanceof Effect.Spawn spawn && spawn.child() == spawn.process()) {
            int parent = process(task, index);
            if (scope.awaitsMemory(parent)) {
                stops.add(new EventStop(Reason.VFORK_DONE, parent, task, 0, Ways.BACKWARD));
            }
            if (scope.sees(spawn.process())) {
                stops.add(new EventStop(Reason.EXITED, spawn.process(), spawn.child(), 0, Ways.BACKWARD));
            }
        }
        return stops;
    }

    private List<EventStop> after(long index) {
        if (index < first) {
            return List.of();
        }
        Event event = source.event(index);
        return switch (event) {
            case Event.Syscall call -> {
                List<EventStop> stops = afterEffect(index, call.task(), call.effect());
                stops.addAll(returned(index, call.task(), call.number(), call.effect()));
                yield stops;
            }
            case Event.SyscallExit exit -> {
                List<EventStop> stops = afterEffect(index, exit.task(), exit.effect());
                stops.addAll(returned(index, exit.task(), exit.number(), exit.effect()));
                yield stops;
            }
            case Event.TaskExit exit -> {
                List<EventStop> stops = new ArrayList<>();
                lives().ofTask(exit.task(), index)
                        .filter(life -> life.endsWith(index))
                        .ifPresent(life -> {
                            memoryGivenBack(index, life).ifPresent(stops::add);
                            if (sees(life)) {
                                stops.add(new EventStop(
                                        Reason.EXITED, life.process(), exit.task(), exit.status(), Ways.FORWARD));
                            }
                        });
                yield stops;
            }
            case Event.SyscallEnter ignored -> List.of();
            case Event.Instruction ignored -> List.of();
            case Event.ClockTrap ignored -> List.of();
            case Event.Signal ignored -> List.of();
            case Event.Preempt ignored -> List.of();
        };
    }

    private List<EventStop> afterEffect(long index, int task, Effect effect) {
        List<EventStop> stops = new ArrayList<>();
        if (effect instanceof Effect.Exec exec) {
            if (scope.tells(ProcessEvent.EXEC) && sees(task, index)) {
                int process = process(task, index);
                stops.add(new EventStop(
                        Reason.EXEC, process, process, 0, exec.image().path(), Ways.FORWARD));
            }
            lives().ofTask(task, index)
                    .flatMap(life -> memoryGivenBack(index, life))
                    .ifPresent(stops::add);
        }
        if (effect instanceof Effect.Spawn spawn && spawn.child() == spawn.process() && sees(task, index)) {
            boolean vfork = spawn.vfork();
            if (scope.tells(vfork ? ProcessEvent.VFORK : ProcessEvent.FORK)) {
                // Going backwards a debugger that sees the child already must not be offered it again.
                Ways ways = scope.sees(spawn.child()) ? Ways.FORWARD : Ways.BOTH;
                Reason reason = vfork ? Reason.VFORK : Reason.FORK;
                stops.add(new EventStop(reason, process(task, index), task, spawn.child(), ways));
            }
        }
        return stops;
    }

    private Optional<EventStop> memoryGivenBack(long index, Lives.Life life) {
        boolean told = life.givesMemoryBack(index) && life.parent() != null && sees(life.parent());
        if (!told) {
            return Optional.empty();
        }
        int parent = life.parent().process();
        Ways ways = scope.awaitsMemory(parent) ? Ways.FORWARD : Ways.NONE;
        int thread = source.event(life.birth()).task();
        return Optional.of(new EventStop(Reason.VFORK_DONE, parent, thread, 0, ways));
    }

    private List<EventStop> returned(long index, int task, int number, Effect effect) {
        if (!scope.catches(number) || !sees(task, index)) {
            return List.of();
        }
        int process = process(task, index);
        int thread = effect instanceof Effect.Exec ? process : task;
        return List.of(new EventStop(Reason.SYSCALL_RETURN, process, thread, number, Ways.BOTH));
    }

    /**
     * The last stop before a place that is told going backwards, or where history begins for what the debugger sees.
     *
     * @param here the place, at which none is looked for
     * @param lowest where to stop looking: stops in front of it do not count
     * @param needed whether only those count that no debugger can do without
     */
    Optional<Candidate> lastBefore(Goal here, Moment lowest, boolean needed) {
        long next = Math.min(here.event(), source.size());
        if (!(here instanceof Goal.Boundary)) {
            // A place inside the segment that leads to the event; its beginning lies before.
            Optional<Candidate> start = last(new Goal.Boundary(next), atBoundary(next), needed);
            if (start.isPresent()) {
                return start.filter(found -> notBefore(found, lowest));
            }
        }
        for (long event = next - 1; event >= first; event = previous(event)) {
            if (event < lowest.event() - 1) {
                return Optional.empty();
            }
            if (beginsBehind(event)) {
                return Optional.of(new Candidate(new Goal.Boundary(event + 1), -1))
                        .filter(found -> notBefore(found, lowest));
            }
            if (ReplaySession.needsRun(source.event(event))) {
                Optional<Candidate> arrival = last(new Goal.Arrival(event), before(event), needed);
                if (arrival.isPresent()) {
                    return arrival.filter(found -> notBefore(found, lowest));
                }
            }
            Optional<Candidate> boundary = last(new Goal.Boundary(event), atBoundary(event), needed);
            if (boundary.isPresent()) {
                return boundary.filter(found -> notBefore(found, lowest));
            }
        }
        return Optional.empty();
    }

    /** The next event to look at, going backwards: around every other nothing is told. */
    private long previous(long event) {
        long special = lives().specialBefore(event);
        if (scope.catchesCalls()) {
            long call = event - 1;
            while (call > special && !scope.catches(source.call(call))) {
                call--;
            }
            special = call;
        }
        // What is told behind a special event is found with the one after it.
        return special == event - 1 ? special : special + 1;
    }

    private static boolean notBefore(Candidate found, Moment lowest) {
        return Moment.of(found.goal()).compareTo(lowest) >= 0;
    }

    private static Optional<Candidate> last(Goal goal, List<EventStop> stops, boolean needed) {
        for (int i = stops.size() - 1; i >= 0; i--) {
            if (stops.get(i).told(false) && (!needed || stops.get(i).needed())) {
                return Optional.of(new Candidate(goal, i));
            }
        }
        return Optional.empty();
    }

    /** Whether an event makes a process without which the debugger would see none. */
    private boolean beginsBehind(long event) {
        if (!(effect(source.event(event)) instanceof Effect.Spawn spawn)
                || spawn.child() != spawn.process()
                || !scope.sees(spawn.process())) {
            return false;
        }
        return scope.processes().stream()
                .noneMatch(process -> lives().of(process, event - 1)
                        .map(life -> life.existsBefore(event))
                        .orElse(false));
    }
}
