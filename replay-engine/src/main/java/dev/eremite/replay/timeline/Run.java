package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.Breakpoint;
import dev.eremite.replay.debug.DebugTarget.BreakpointKind;
import dev.eremite.replay.debug.DebugTarget.Condition;
import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.replay.session.FilteredRun;
import dev.eremite.replay.session.LandmarkPath;
import dev.eremite.replay.session.LandmarkRun;
import dev.eremite.replay.session.ReplayProcess;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.session.ReplaySession.Arrival;
import dev.eremite.replay.session.ReplayTask;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.Tracee.Resume;
import java.util.ArrayList;
import java.util.Arrays;
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
        SIGNAL,
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
    }

    private final ReplaySession session;
    private final DebugScope scope;
    private final List<Breakpoint> watches = new ArrayList<>();
    private final Map<Long, List<Breakpoint>> code = new HashMap<>();
    private final Map<Breakpoint, byte[]> values = new HashMap<>();
    private final WatchRegisters registers;
    private final HotConditions hot = new HotConditions(code);
    private final CodeTraps traps = new CodeTraps();
    private final Set<Tracee> armed = new HashSet<>();
    private final BooleanSupplier interrupted;
    private ReplayProcess patched;
    private Goal goal;
    private boolean signalReported;
    private boolean othersRan;
    private long deadline;

    Run(ReplaySession session, DebugScope scope, List<Breakpoint> breakpoints, BooleanSupplier interrupted) {
        this.session = session;
        this.scope = scope;
        this.interrupted = interrupted;
        for (Breakpoint breakpoint : breakpoints) {
            if (breakpoint.kind() == BreakpointKind.SOFTWARE || breakpoint.kind() == BreakpointKind.HARDWARE) {
                code.computeIfAbsent(breakpoint.address(), a -> new ArrayList<>())
                        .add(breakpoint);
            } else {
                watches.add(breakpoint);
            }
        }
        registers = WatchRegisters.of(watches).orElse(null);
    }

    ReplaySession session() {
        return session;
    }

    /** The signal at the present place has been reported, so that the next run goes over it. */
    void signalReported() {
        signalReported = true;
    }

    /**
     * Runs.
     *
     * @param signals whether to stop before signals that are to be reported
     * @param nanos how long at most; negative: no limit
     */
    Outcome go(Goal until, boolean signals, long nanos) {
        goal = until;
        deadline = nanos < 0 ? Long.MAX_VALUE : System.nanoTime() + nanos;
        watches.forEach(watch -> values.put(watch, value(watch)));
        try {
            while (true) {
                Outcome outcome = advance(signals);
                if (outcome != null) {
                    return outcome;
                }
            }
        } finally {
            clear();
        }
    }

    private Outcome advance(boolean signals) {
        if (goal.reached(session)) {
            return Outcome.of(End.GOAL);
        }
        if (scope.ended(session)) {
            return Outcome.of(End.HISTORY_END);
        }
        if (interrupted.getAsBoolean()) {
            return Outcome.of(End.INTERRUPTED);
        }
        if (System.nanoTime() > deadline) {
            return Outcome.of(End.TIME);
        }
        Outcome foreign = writtenMeanwhile();
        if (foreign != null) {
            return foreign;
        }
        if (session.arrived()) {
            if (signals && !signalReported && scope.reports(session)) {
                return Outcome.of(End.SIGNAL);
            }
            return applyEvent();
        }
        ReplayTask task = session.nextTask();
        boolean visible = task != null && scope.sees(task);
        OptionalLong filtered = visible ? hot.address() : OptionalLong.empty();
        prepare(task, visible, filtered);
        if (visible && !watches.isEmpty() && registers == null) {
            return stepWatching(task);
        }
        long left = deadline == Long.MAX_VALUE ? -1 : Math.max(1, deadline - System.nanoTime());
        signalReported = false;
        if (filtered.isPresent()) {
            return runFiltered(task, filtered.getAsLong(), left);
        }
        if (goal instanceof Goal.Within within && within.event() == session.position()) {
            return switch (LandmarkRun.runTo(session, within.point(), left)) {
                case REACHED -> Outcome.of(End.GOAL);
                case TRAP -> trapped(task, visible);
                case EVENT, INTERRUPTED, FILTERED -> null;
            };
        }
        Arrival arrival = session.run(Resume.EMULATE, left);
        return arrival == Arrival.TRAP ? trapped(task, visible) : null;
    }

    /** Runs past a breakpoint whose condition has not held many times: what it needs is tested in the guest. */
    private Outcome runFiltered(ReplayTask task, long pc, long left) {
        BooleanSupplier wanted = () -> breakpointAt(pc, task) != null;
        BooleanSupplier enough = () -> interrupted.getAsBoolean() || System.nanoTime() > deadline;
        LandmarkPath point =
                goal instanceof Goal.Within within && within.event() == session.position() ? within.point() : null;
        FilteredRun.Filter filter = new FilteredRun.Filter(pc, hot.comparisons(pc), wanted, enough);
        Optional<FilteredRun.Result> result = FilteredRun.run(session, filter, point, left);
        if (result.isEmpty()) {
            hot.refuse(pc);
            return null;
        }
        return switch (result.get()) {
            case REACHED -> Outcome.of(End.GOAL);
            case VISIT -> {
                Breakpoint hit = breakpointAt(pc, task);
                yield hit == null ? null : new Outcome(End.HIT, hit, false);
            }
            case TRAP -> trapped(task, true);
            case EVENT, INTERRUPTED -> null;
            case TOO_NEAR -> {
                hot.refuse(pc);
                yield new Outcome(End.CROWDED, code.get(pc).getFirst(), false);
            }
        };
    }

    /** A watchpoint on shared memory that another process has written since the debugged one ran last. */
    private Outcome writtenMeanwhile() {
        ReplayTask task = session.nextTask();
        if (task == null || !scope.sees(task)) {
            othersRan = true;
            return null;
        }
        if (othersRan) {
            othersRan = false;
            for (Breakpoint watch : watches) {
                if (watch.kind() != BreakpointKind.READ && changed(watch) && holds(watch, task)) {
                    return new Outcome(End.HIT, watch, true);
                }
            }
        }
        return null;
    }

    private void prepare(ReplayTask task, boolean visible, OptionalLong filtered) {
        if (task == null) {
            return;
        }
        if (patched != null && patched != task.process()) {
            removeTraps();
        }
        if (visible && !code.isEmpty()) {
            patched = task.process();
            Set<Long> places = new HashSet<>(code.keySet());
            filtered.ifPresent(places::remove);
            traps.set(task.tracee(), places);
        }
        if (visible && registers != null && !registers.isEmpty() && armed.add(task.tracee())) {
            registers.arm(task.tracee());
        }
    }

    private Outcome applyEvent() {
        Event event = session.nextEvent();
        ReplayTask task = session.nextTask();
        boolean visible = task != null && scope.sees(task);
        boolean writes = visible && !watches.isEmpty() && touches(session.pendingWrites());
        scope.output().at(session.position());
        if (event instanceof Event.TaskExit && task != null) {
            armed.remove(task.tracee());
        }
        session.apply();
        hot.segmentEnded();
        signalReported = false;
        afterEffect(event, visible);
        if (writes) {
            for (Breakpoint watch : watches) {
                if (watch.kind() != BreakpointKind.READ && changed(watch) && holds(watch, task)) {
                    return new Outcome(End.HIT, watch, true);
                }
            }
        }
        return null;
    }

    private boolean touches(List<MemoryWrite> writes) {
        for (MemoryWrite write : writes) {
            for (Breakpoint watch : watches) {
                if (write.address() < watch.address() + watch.length()
                        && watch.address() < write.address() + write.bytes().length) {
                    return true;
                }
            }
        }
        return false;
    }

    private void afterEffect(Event event, boolean visible) {
        Effect effect = switch (event) {
            case Event.Syscall call -> call.effect();
            case Event.SyscallExit exit -> exit.effect();
            default -> Effect.None.INSTANCE;
        };
        if (effect instanceof Effect.Spawn spawn && visible) {
            ReplayTask child = session.tasks().get(spawn.child());
            if (!scope.sees(child) && !child.process().borrowedMemoryNow()) {
                traps.cleanCopy(child.tracee());
            }
        }
        if (effect instanceof Effect.Exec && visible) {
            traps.forget();
            armed.clear();
        }
    }

    private Outcome trapped(ReplayTask task, boolean visible) {
        Tracee tracee = task.tracee();
        if (visible && registers != null && !registers.isEmpty()) {
            Outcome watch = watchHit(task);
            if (watch != null) {
                return watch;
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
        Breakpoint hit = visible ? breakpointAt(pc, task) : null;
        if (hit == null && visible) {
            hot.failedAt(pc);
        }
        return hit != null ? new Outcome(End.HIT, hit, false) : stepOff();
    }

    /** The breakpoint whose place and condition the next task stands at, or null. */
    Breakpoint standingAt() {
        ReplayTask task = session.nextTask();
        return task == null || !scope.sees(task)
                ? null
                : breakpointAt(task.tracee().register(Reg.RIP), task);
    }

    private Breakpoint breakpointAt(long pc, ReplayTask task) {
        for (Breakpoint breakpoint : code.getOrDefault(pc, List.of())) {
            if (holds(breakpoint, task)) {
                return breakpoint;
            }
        }
        return null;
    }

    private boolean holds(Breakpoint breakpoint, ReplayTask task) {
        if (breakpoint.conditions().isEmpty()) {
            return true;
        }
        for (Condition condition : breakpoint.conditions()) {
            if (scope.evaluate(condition, session, task)) {
                return true;
            }
        }
        return false;
    }

    private Outcome watchHit(ReplayTask task) {
        for (Breakpoint watch : registers.hits(task.tracee())) {
            boolean changed = changed(watch);
            boolean wanted = switch (watch.kind()) {
                case WRITE -> changed;
                case READ -> !changed;
                default -> true;
            };
            if (wanted && holds(watch, task)) {
                return new Outcome(End.HIT, watch, false);
            }
        }
        return null;
    }

    private boolean changed(Breakpoint watch) {
        byte[] now = value(watch);
        byte[] before = values.put(watch, now);
        return !Arrays.equals(now, before);
    }

    private byte[] value(Breakpoint watch) {
        ReplayTask any = scope.anyTask(session);
        return any == null ? new byte[0] : any.tracee().memory().read(watch.address(), (int) watch.length());
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
                before && scope.sees(task) && code.containsKey(task.tracee().register(Reg.RIP));
        return standing ? single() : null;
    }

    /**
     * Applies the event that the next task has arrived at, or executes one instruction of it.
     *
     * @return the watchpoint that is hit, or null
     */
    Outcome single() {
        watches.forEach(watch -> values.put(watch, value(watch)));
        try {
            if (session.arrived()) {
                return applyEvent();
            }
            ReplayTask task = session.nextTask();
            boolean watching = scope.sees(task) && !watches.isEmpty();
            if (watching && registers != null) {
                armed.add(task.tracee());
                registers.arm(task.tracee());
            }
            Arrival arrival = step(session);
            if (arrival != Arrival.TRAP || !watching) {
                return null;
            }
            return registers != null ? watchHit(task) : changedWatch(task);
        } finally {
            clear();
        }
    }

    private Outcome changedWatch(ReplayTask task) {
        for (Breakpoint watch : watches) {
            if (changed(watch) && holds(watch, task)) {
                return new Outcome(End.HIT, watch, false);
            }
        }
        return null;
    }

    /** Executes the instruction at the present pc of the next task although a trap stands there. */
    Outcome stepOff() {
        ReplayTask task = session.nextTask();
        Tracee tracee = task.tracee();
        traps.remove(tracee, tracee.register(Reg.RIP));
        Arrival arrival = session.run(Resume.EMULATE_STEP, -1);
        boolean watching = scope.sees(task) && registers != null && !registers.isEmpty();
        return arrival == Arrival.TRAP && watching ? watchHit(task) : null;
    }

    /** One instruction with more watchpoints than the processor has registers for. */
    private Outcome stepWatching(ReplayTask task) {
        long pc = task.tracee().register(Reg.RIP);
        traps.removeAll(task.tracee());
        if (session.run(Resume.EMULATE_STEP, -1) != Arrival.TRAP) {
            return null;
        }
        if (goal.reached(session)) {
            return Outcome.of(End.GOAL);
        }
        Outcome watched = changedWatch(task);
        if (watched != null) {
            return watched;
        }
        long now = task.tracee().register(Reg.RIP);
        Breakpoint hit = now == pc ? null : breakpointAt(now, task);
        return hit == null ? null : new Outcome(End.HIT, hit, false);
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
