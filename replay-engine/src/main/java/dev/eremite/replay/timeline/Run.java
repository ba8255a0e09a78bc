package dev.eremite.replay.timeline;

import dev.eremite.detcore.syscall.SyscallNumbers;
import dev.eremite.replay.debug.DebugTarget.Breakpoint;
import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.replay.session.FilteredRun;
import dev.eremite.replay.session.LandmarkPath;
import dev.eremite.replay.session.LandmarkRun;
import dev.eremite.replay.session.RepeatedString;
import dev.eremite.replay.session.ReplayProcess;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.session.ReplaySession.Arrival;
import dev.eremite.replay.session.ReplayTask;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.Tracee.Resume;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Moves one session forward, with breakpoints and watchpoints live, to a goal at the latest. Breakpoints are in the code only
 * while {@link #go} runs.
 */
final class Run {
    /** Why it stopped. */
    enum End {
        GOAL,
        HIT,
        /** Something is told in front of the event that it has arrived at, or behind the one that it has applied. */
        EVENT,
        HISTORY_END,
        INTERRUPTED,
        TIME,
        /** A condition that does not hold is evaluated so often, close to the goal, that another goal should be taken. */
        CROWDED
    }

    /**
     * A stop.
     *
     * @param hit the breakpoint or watchpoint with HIT, else null
     * @param byEvent whether a system call or a signal frame, not an instruction, wrote the watched memory
     */
    record Outcome(End end, Breakpoint hit, boolean byEvent) {
        static Outcome of(End end) {
            return new Outcome(end, null, false);
        }

        private static Outcome hit(Breakpoint hit, boolean byEvent) {
            return hit == null ? null : new Outcome(End.HIT, hit, byEvent);
        }
    }

    /** Calls after which memory may be code that was not. */
    private static final Set<Integer> MAPPING_CALLS = Set.of(
            SyscallNumbers.MMAP,
            SyscallNumbers.MPROTECT,
            SyscallNumbers.PKEY_MPROTECT,
            SyscallNumbers.MREMAP,
            SyscallNumbers.MUNMAP,
            SyscallNumbers.SHMAT);

    private final ReplaySession session;
    private final DebugScope scope;
    private final List<Breakpoint> breakpoints;
    private final EventStops events;
    private final Map<Integer, ProcessPoints> points = new HashMap<>();
    private final CodeTraps traps = new CodeTraps();
    private final Set<Tracee> armed = new HashSet<>();
    private final BooleanSupplier interrupted;
    private ReplayProcess patched;
    private Goal goal;
    private boolean arrivalTold;
    private boolean valuesRead;
    private boolean tellingAtGoal = true;
    private int ranLast = -1;
    private long deadline;

    /**
     * A run of a session.
     *
     * @param events what to stop for besides breakpoints; null for nothing
     */
    Run(
            ReplaySession session,
            DebugScope scope,
            List<Breakpoint> breakpoints,
            EventStops events,
            BooleanSupplier interrupted) {
        this.session = session;
        this.scope = scope;
        this.breakpoints = breakpoints;
        this.events = events;
        this.interrupted = interrupted;
    }

    /** A run that goes by all events. */
    Run(ReplaySession session, DebugScope scope, List<Breakpoint> breakpoints, BooleanSupplier interrupted) {
        this(session, scope, breakpoints, null, interrupted);
    }

    /**
     * Whether to tell at the goal what other processes have written although the watching one has not gone on to see it. Not
     * so where the goal was chosen by time.
     */
    Run tellingAtGoal(boolean telling) {
        tellingAtGoal = telling;
        return this;
    }

    private ProcessPoints points(ReplayTask task) {
        return points.computeIfAbsent(task.process().pid(), process -> ProcessPoints.of(process, scope, breakpoints));
    }

    /** What there is to tell at the present place has been told, so that the next run goes over it. */
    void arrivalTold() {
        arrivalTold = true;
    }

    /**
     * Runs.
     *
     * @param nanos how long at most; negative: no limit
     */
    Outcome go(Goal until, long nanos) {
        goal = until;
        deadline = nanos < 0 ? Long.MAX_VALUE : System.nanoTime() + nanos;
        readValues();
        try {
            while (true) {
                Outcome outcome = advance();
                if (outcome != null) {
                    Outcome foreign = isPlaceToTell(outcome.end()) ? writtenByOthers() : null;
                    return foreign != null ? foreign : outcome;
                }
            }
        } finally {
            clear();
        }
    }

    /** Whether a run ends in a place of its own, not just where its time was over. */
    private boolean isPlaceToTell(End end) {
        return end == End.EVENT || end == End.HISTORY_END || end == End.GOAL && tellingAtGoal;
    }

    /** Once: the next run goes on with what the last one has seen. */
    private void readValues() {
        if (valuesRead) {
            return;
        }
        valuesRead = true;
        breakpoints.stream()
                .map(Breakpoint::process)
                .distinct()
                .forEach(process -> points.computeIfAbsent(process, p -> ProcessPoints.of(p, scope, breakpoints))
                        .readValues(session));
    }

    private Outcome advance() {
        if (goal.reached(session)) {
            return Outcome.of(End.GOAL);
        }
        if (scope.ended(session)) {
            return Outcome.of(End.HISTORY_END);
        }
        if (interrupted.getAsBoolean()) {
            return between(End.INTERRUPTED);
        }
        if (System.nanoTime() > deadline) {
            return between(End.TIME);
        }
        Outcome foreign = writtenMeanwhile();
        if (foreign != null) {
            return foreign;
        }
        if (session.arrived()) {
            if (events != null && !arrivalTold && events.tellsBefore(session)) {
                return Outcome.of(End.EVENT);
            }
            return applyEvent();
        }
        ReplayTask task = session.nextTask();
        ProcessPoints own = task == null ? null : points(task);
        OptionalLong filtered = own == null ? OptionalLong.empty() : own.hot().address();
        prepare(task, own, filtered);
        if (own != null && own.watching() && !own.inRegisters()) {
            return stepWatching(task, own);
        }
        long left = deadline == Long.MAX_VALUE ? -1 : Math.max(1, deadline - System.nanoTime());
        arrivalTold = false;
        if (filtered.isPresent()) {
            return runFiltered(task, own, filtered.getAsLong(), left);
        }
        if (goal instanceof Goal.Within within && within.event() == session.position()) {
            return switch (LandmarkRun.runTo(session, within.point(), left)) {
                case REACHED -> Outcome.of(End.GOAL);
                case TRAP -> trapped(task, own);
                case EVENT, INTERRUPTED, FILTERED -> null;
            };
        }
        Arrival arrival = session.run(Resume.EMULATE, left);
        return arrival == Arrival.TRAP ? trapped(task, own) : null;
    }

    /** Ends a run, but not in the midst of an instruction. */
    private Outcome between(End end) {
        ReplayTask task = session.nextTask();
        boolean inside = task != null && session.moved() && !session.arrived();
        // Where a trap stands, the instruction has not begun: it would have been told, and then executed as a whole.
        boolean untold = inside && traps.contains(task.tracee().register(Reg.RIP));
        if (!inside || untold || !RepeatedString.isNext(session)) {
            return Outcome.of(end);
        }
        ProcessPoints own = points(task);
        if (own.usesRegisters() && armed.add(task.tracee())) {
            own.arm(task);
        }
        boolean ended = RepeatedString.finish(session) == Arrival.TRAP;
        Breakpoint watch = !ended || !own.watching()
                ? null
                : own.inRegisters() ? own.reportedWatch(session, task) : own.changedWatch(session, task);
        if (watch != null) {
            // Also at the goal: the instruction before it may be what is looked for.
            return Outcome.hit(watch, false);
        }
        return Outcome.of(goal.reached(session) ? End.GOAL : end);
    }

    /** Runs past a breakpoint whose condition has not held many times: what it needs is tested in the guest. */
    private Outcome runFiltered(ReplayTask task, ProcessPoints own, long pc, long left) {
        BooleanSupplier wanted = () -> own.breakpointAt(pc, session, task) != null;
        BooleanSupplier enough = () -> interrupted.getAsBoolean() || System.nanoTime() > deadline;
        LandmarkPath point =
                goal instanceof Goal.Within within && within.event() == session.position() ? within.point() : null;
        FilteredRun.Filter filter = new FilteredRun.Filter(pc, own.hot().comparisons(pc), wanted, enough);
        Optional<FilteredRun.Result> result = FilteredRun.run(session, filter, point, left);
        if (result.isEmpty()) {
            own.hot().refuse(pc);
            return null;
        }
        return switch (result.get()) {
            case REACHED -> Outcome.of(End.GOAL);
            case VISIT -> Outcome.hit(own.breakpointAt(pc, session, task), false);
            case TRAP -> trapped(task, own);
            case EVENT, INTERRUPTED -> null;
            case TOO_NEAR -> {
                own.hot().refuse(pc);
                yield new Outcome(End.CROWDED, own.code().get(pc).getFirst(), false);
            }
        };
    }

    /** A watchpoint on shared memory that another process has written since its own one ran last. */
    private Outcome writtenMeanwhile() {
        ReplayTask task = session.nextTask();
        int process = task == null ? 0 : task.process().pid();
        boolean back = ranLast >= 0 && ranLast != process;
        ranLast = process;
        return back && task != null ? Outcome.hit(points(task).writtenWatch(session, task), true) : null;
    }

    /**
     * A watchpoint whose memory is written by a process other than its own, which has not run since: the next run begins with
     * the value that stands there now.
     */
    private Outcome writtenByOthers() {
        for (ProcessPoints other : points.values()) {
            ReplayTask any = other.watching() ? scope.anyTask(session, other.process()) : null;
            if (any != null && other.process() != ranLast) {
                Outcome written = Outcome.hit(other.writtenWatch(session, any), true);
                if (written != null) {
                    return written;
                }
            }
        }
        return null;
    }

    private void prepare(ReplayTask task, ProcessPoints own, OptionalLong filtered) {
        if (task == null) {
            return;
        }
        if (patched != null && patched != task.process()) {
            removeTraps();
        }
        if (!own.code().isEmpty()) {
            patched = task.process();
            Set<Long> places = new HashSet<>(own.code().keySet());
            filtered.ifPresent(places::remove);
            traps.set(task.tracee(), places);
        }
        if (own.usesRegisters() && armed.add(task.tracee())) {
            own.arm(task);
        }
    }

    private Outcome applyEvent() {
        Event event = session.nextEvent();
        ReplayTask task = session.nextTask();
        ProcessPoints own = task == null ? null : points(task);
        boolean writes = own != null && own.watching() && touches(own, session.pendingWrites());
        scope.output().at(session.position());
        if (event instanceof Event.TaskExit && task != null) {
            armed.remove(task.tracee());
        }
        session.apply();
        if (MAPPING_CALLS.contains(call(event))) {
            traps.mappingsChanged();
        }
        arrivalTold = false;
        if (own != null) {
            own.hot().segmentEnded();
            afterEffect(event, task);
        }
        Outcome written = writes ? Outcome.hit(own.writtenWatch(session, task), true) : null;
        if (written != null) {
            return written;
        }
        return events != null && events.tellsAfter(session) ? Outcome.of(End.EVENT) : null;
    }

    private static int call(Event event) {
        return switch (event) {
            case Event.Syscall call -> call.number();
            case Event.SyscallExit exit -> exit.number();
            default -> -1;
        };
    }

    private static boolean touches(ProcessPoints own, List<MemoryWrite> writes) {
        return writes.stream().anyMatch(write -> own.touches(write.address(), write.bytes().length));
    }

    private void afterEffect(Event event, ReplayTask task) {
        Effect effect = EventStops.effect(event);
        if (effect instanceof Effect.Spawn spawn && patched == task.process()) {
            ReplayTask child = session.tasks().get(spawn.child());
            if (child.process() != task.process() && !child.process().borrowedMemoryNow()) {
                traps.cleanCopy(child.tracee());
            }
        }
        if (effect instanceof Effect.Exec) {
            if (patched == task.process()) {
                traps.forget();
            }
            armed.retainAll(
                    session.tasks().values().stream().map(ReplayTask::tracee).toList());
        }
    }

    private Outcome trapped(ReplayTask task, ProcessPoints own) {
        Tracee tracee = task.tracee();
        if (own.usesRegisters()) {
            if (own.stoppedInString(tracee) && !goal.reached(session)) {
                RepeatedString.finish(session);
            }
            Breakpoint watch = own.reportedWatch(session, task);
            if (watch != null) {
                return Outcome.hit(watch, false);
            }
        }
        long pc = tracee.register(Reg.RIP) - 1;
        if (!traps.contains(pc)) {
            // A watchpoint whose value did not change.
            return null;
        }
        tracee.setRegister(Reg.RIP, pc);
        if (goal.reached(session)) {
            return Outcome.of(End.GOAL);
        }
        Breakpoint hit = own.breakpointAt(pc, session, task);
        if (hit == null) {
            own.hot().failedAt(pc);
        }
        return hit != null ? Outcome.hit(hit, false) : stepOff();
    }

    /** The breakpoint whose place and condition the next task stands at, or null. */
    Breakpoint standingAt() {
        ReplayTask task = session.nextTask();
        return task == null ? null : points(task).breakpointAt(task.tracee().register(Reg.RIP), session, task);
    }

    /**
     * Executes one instruction if a breakpoint stands at the present pc, which a move must not report again.
     *
     * @return the watchpoint that the instruction hits, or null
     */
    Outcome leaveBreakpoint() {
        ReplayTask task = session.nextTask();
        boolean before = task != null && !session.arrived();
        boolean standing =
                before && points(task).code().containsKey(task.tracee().register(Reg.RIP));
        return standing ? single() : null;
    }

    /**
     * Applies the event that the next task has arrived at, or executes one instruction of it.
     *
     * @return the watchpoint that is hit, or null
     */
    Outcome single() {
        readValues();
        try {
            if (session.arrived()) {
                return applyEvent();
            }
            ReplayTask task = session.nextTask();
            ProcessPoints own = points(task);
            boolean watching = own.watching();
            if (watching && own.inRegisters()) {
                armed.add(task.tracee());
                own.arm(task);
            }
            Arrival arrival = step(session);
            if (arrival != Arrival.TRAP || !watching) {
                return null;
            }
            return Outcome.hit(
                    own.inRegisters() ? own.reportedWatch(session, task) : own.changedWatch(session, task), false);
        } finally {
            clear();
        }
    }

    /** Executes the instruction at the present pc of the next task although a trap stands there. */
    Outcome stepOff() {
        ReplayTask task = session.nextTask();
        Tracee tracee = task.tracee();
        traps.remove(tracee, tracee.register(Reg.RIP));
        Arrival arrival = session.run(Resume.EMULATE_STEP, -1);
        ProcessPoints own = points(task);
        return arrival == Arrival.TRAP && own.usesRegisters()
                ? Outcome.hit(own.reportedWatch(session, task), false)
                : null;
    }

    /** One instruction with more watchpoints than the processor has registers for. */
    private Outcome stepWatching(ReplayTask task, ProcessPoints own) {
        long pc = task.tracee().register(Reg.RIP);
        traps.removeAll(task.tracee());
        if (session.run(Resume.EMULATE_STEP, -1) != Arrival.TRAP) {
            return null;
        }
        // The instruction before the goal may be what is looked for.
        Breakpoint watched = own.changedWatch(session, task);
        if (watched != null) {
            return Outcome.hit(watched, false);
        }
        if (goal.reached(session)) {
            return Outcome.of(End.GOAL);
        }
        long now = task.tracee().register(Reg.RIP);
        return now == pc ? null : Outcome.hit(own.breakpointAt(now, session, task), false);
    }

    /** Executes one instruction of the session's next task, which has not arrived at an event; traps do not matter. */
    static Arrival step(ReplaySession session) {
        return session.run(Resume.EMULATE_STEP, -1);
    }

    private void clear() {
        for (Tracee tracee : armed) {
            if (tracee.isStopped()) {
                WatchRegisters.disarm(tracee);
            }
        }
        armed.clear();
        removeTraps();
    }

    private void removeTraps() {
        for (ReplayTask task : session.tasks().values()) {
            if (task.process() == patched) {
                traps.removeAll(task.tracee());
                break;
            }
        }
        traps.forget();
        patched = null;
    }
}
