package dev.eremite.replay.session;

import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.Landmark;
import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.replay.guest.TrappedInstruction;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.TaskGoneException;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.Tracee.Resume;
import dev.eremite.tracer.linux.Tracer;
import dev.eremite.tracer.linux.WaitStatus;
import dev.eremite.tracer.x86.Instruction;
import dev.eremite.tracer.x86.InstructionDecoder;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Re-enacts a recording. It stands between two events, or inside the segment of guest code that leads to the next one.
 * All its tasks are stopped whenever no method of it runs.
 */
public final class ReplaySession implements AutoCloseable {
    /** Why a run inside a segment ended. */
    public enum Arrival {
        /** The task stands where the next event happens; {@link #apply} is next. */
        EVENT,
        /** SIGTRAP: a breakpoint, a watchpoint or a single step. */
        TRAP,
        /** The time was over or somebody asked to stop. */
        INTERRUPTED
    }

    /** Where a session stands: the next event, and whether its task has run towards it, or is there. */
    record Stand(long next, boolean moved, boolean arrived) {}

    private static final int SIGTRAP = 5;
    private static final int TRAP_TRACE = 2;

    private final Tracer tracer;
    private final RecordingSource source;
    private final ReplayOutput output;
    private final AddressSpace space;
    private final EventApplier applier;
    private final Map<Integer, ReplayTask> tasks;
    private final SharedObjects objects;
    private long next;
    private boolean moved;
    private boolean arrived;
    private Event nextEvent;
    /** What is known of the way to the next event's landmark; null until somebody asks. */
    private LandmarkPath ahead;

    /** A session at the beginning of a recording, its first event not applied yet. */
    public ReplaySession(Tracer tracer, RecordingSource source, ReplayOutput output) {
        this(
                tracer,
                source,
                output,
                new LinkedHashMap<>(),
                new SharedObjects(tracer, source),
                new Stand(0, false, false));
    }

    /** Another session of the same recording. */
    ReplaySession(ReplaySession like, Map<Integer, ReplayTask> tasks, SharedObjects objects, Stand stand) {
        this(like.tracer, like.source, like.output, tasks, objects, stand);
        if (like.next == next) {
            ahead = like.ahead;
        }
    }

    private ReplaySession(
            Tracer tracer,
            RecordingSource source,
            ReplayOutput output,
            Map<Integer, ReplayTask> tasks,
            SharedObjects objects,
            Stand stand) {
        this.tracer = tracer;
        this.source = source;
        this.output = output;
        this.tasks = tasks;
        this.objects = objects;
        next = stand.next();
        moved = stand.moved();
        arrived = stand.arrived();
        space = new AddressSpace(source);
        applier = new EventApplier(this, output);
    }

    /** The number of the next event. */
    public long position() {
        return next;
    }

    /** Whether every event has been applied. */
    public boolean atEnd() {
        return next >= source.size();
    }

    /** The next event. Not to be called at the end. */
    public Event nextEvent() {
        if (nextEvent == null) {
            nextEvent = source.event(next);
        }
        return nextEvent;
    }

    /** Whether the next event's task stands where it happens, so that no guest code is left to run before it. */
    public boolean arrived() {
        return arrived || !needsRun(nextEvent());
    }

    /** The task that the next event belongs to; null for the first event and at the end. */
    public ReplayTask nextTask() {
        return atEnd() ? null : tasks.get(nextEvent().task());
    }

    /** The tasks that exist, by recorded thread id, in order of creation. */
    public Map<Integer, ReplayTask> tasks() {
        return tasks;
    }

    /** The tracer whose tasks these are. */
    public Tracer tracer() {
        return tracer;
    }

    RecordingSource source() {
        return source;
    }

    AddressSpace space() {
        return space;
    }

    SharedObjects objects() {
        return objects;
    }

    Stand stand() {
        return new Stand(next, moved, arrived);
    }

    /** Whether guest code of the segment that leads to the next event has run. */
    public boolean moved() {
        return moved;
    }

    /** Whether the task has run up to the next event, so that none of its code is left to run before. */
    public boolean ranToEvent() {
        return arrived;
    }

    /** Whether guest code runs before an event, rather than its following the one before directly. */
    public static boolean needsRun(Event event) {
        return switch (event) {
            case Event.Syscall call -> !isFirstExec(call);
            case Event.SyscallEnter enter -> true;
            case Event.Instruction instruction -> true;
            case Event.ClockTrap trap -> false;
            case Event.Signal signal -> signal.origin() == Event.Signal.Origin.SYNCHRONOUS || signal.landmark() != null;
            case Event.Preempt preempt -> true;
            case Event.SyscallExit exit -> false;
            case Event.TaskExit exit -> false;
        };
    }

    private static boolean isFirstExec(Event.Syscall call) {
        return call.effect() instanceof Effect.Exec && call.proof().rip() == 0;
    }

    /** Runs guest code up to the next event and applies it. */
    public void step() {
        while (!arrived()) {
            if (run(Resume.EMULATE, -1) == Arrival.TRAP) {
                Tracee tracee = nextTask().tracee();
                throw diverged("no trap", "SIGTRAP at 0x" + Long.toHexString(tracee.register(Reg.RIP)));
            }
        }
        apply();
    }

    /**
     * Runs the next event's task inside its segment.
     *
     * @param how EMULATE to run, EMULATE_STEP for one instruction; a repeated string instruction counts as one
     * @param timeoutNanos when to interrupt it; negative: only on {@link Tracer#wake}
     */
    public Arrival run(Resume how, long timeoutNanos) {
        ReplayTask task = nextTask();
        if (task == null) {
            throw diverged("task " + nextEvent().task(), "no such task");
        }
        Tracee tracee = task.tracee();
        moved = true;
        LandmarkPath landmark = ahead();
        if (landmark != null && landmark.isAt(tracee)) {
            arrived = true;
            return Arrival.EVENT;
        }
        if (landmark != null && how == Resume.EMULATE) {
            return runToLandmark(landmark, timeoutNanos);
        }
        boolean pushesFlags = false;
        if (how == Resume.EMULATE_STEP) {
            long pc = tracee.register(Reg.RIP);
            byte[] code = tracee.memory().read(pc, InstructionDecoder.MAX_LENGTH);
            Instruction string = RepeatedString.at(code, pc);
            if (string != null && tracee.register(Reg.RCX) != 0) {
                return RepeatedString.finish(this, task, string);
            }
            pushesFlags = isPushf(code);
        }
        while (true) {
            tracee.resume(how, 0);
            WaitStatus stop = tracer.waitFor(tracee, timeoutNanos);
            if (stop == null) {
                tracee.interrupt();
                stop = tracer.waitFor(tracee);
                if (stop.event() == WaitStatus.EVENT_STOP && !tracee.faultPending()) {
                    return Arrival.INTERRUPTED;
                }
                // It stopped by itself just then, or is about to: a trap that is under way is reported first.
            }
            Arrival arrival = afterStop(task, stop, how);
            if (arrival != null) {
                if (pushesFlags) {
                    clearPushedTrapFlag(tracee);
                }
                if (arrival == Arrival.TRAP && landmark != null && landmark.isAt(tracee)) {
                    arrived = true;
                    return Arrival.EVENT;
                }
                return arrival;
            }
        }
    }

    /**
     * Executes one instruction although the next event happens in front of it, inside a segment; for looking, in a copy, at
     * the code that the event interrupts.
     *
     * @return false where the event is another one, or no further instruction can be executed
     */
    public boolean stepOverEvent() {
        if (!arrived || ahead() == null) {
            return false;
        }
        Tracee tracee = nextTask().tracee();
        tracee.resume(Resume.EMULATE_STEP, 0);
        WaitStatus stop = tracer.waitFor(tracee);
        return stop.signalStop() && stop.signal() == SIGTRAP;
    }

    /** The way to the landmark where the next event happens; null when it happens where the code itself leads. */
    public LandmarkPath ahead() {
        Landmark landmark = landmark(nextEvent());
        if (ahead == null && landmark != null) {
            ahead = new LandmarkPath(landmark);
        }
        return ahead;
    }

    private Arrival runToLandmark(LandmarkPath landmark, long timeoutNanos) {
        return switch (LandmarkRun.runTo(this, landmark, timeoutNanos)) {
            case REACHED -> {
                arrived = true;
                yield Arrival.EVENT;
            }
            case EVENT -> Arrival.EVENT;
            case TRAP -> Arrival.TRAP;
            case INTERRUPTED, FILTERED -> Arrival.INTERRUPTED;
        };
    }

    /** The next event's task stands at the point where it happens. */
    void reachedLandmark() {
        arrived = true;
    }

    /** Notes that guest code of the segment runs. */
    void moving() {
        moved = true;
    }

    /** What a stop of the next event's task means; null when it means nothing and the task should go on. */
    Arrival afterStop(ReplayTask task, WaitStatus stop, Resume how) {
        Tracee tracee = task.tracee();
        if (stop.ended() || stop.event() == WaitStatus.EVENT_EXIT) {
            throw new TaskGoneException(tracee.tid());
        }
        if (stop.syscallStop()) {
            cleanTrapFlag(tracee, how);
            applier.checkCall(task);
            arrived = true;
            return Arrival.EVENT;
        }
        return stop.signalStop() ? signalStop(task, stop.signal(), how) : null;
    }

    /** The point inside a segment where its event happens, or null. */
    private static Landmark landmark(Event event) {
        return switch (event) {
            case Event.Signal signal -> signal.landmark();
            case Event.Preempt preempt -> preempt.landmark();
            case Event.Syscall call -> null;
            case Event.SyscallEnter enter -> null;
            case Event.SyscallExit exit -> null;
            case Event.Instruction instruction -> null;
            case Event.ClockTrap trap -> null;
            case Event.TaskExit exit -> null;
        };
    }

    private Arrival signalStop(ReplayTask task, int signal, Resume how) {
        Tracee tracee = task.tracee();
        int code = AddressSpace.little(tracee.siginfo()).getInt(8);
        if (code <= 0) {
            return null; // Sent by somebody outside; the recording knows nothing of it.
        }
        if (nextEvent() instanceof Event.Signal expected
                && expected.origin() == Event.Signal.Origin.SYNCHRONOUS
                && expected.signal() == signal
                && dev.eremite.replay.guest.Proofs.of(tracee.registersView()).equals(expected.proof())) {
            arrived = true;
            return Arrival.EVENT;
        }
        if (signal == SIGTRAP) {
            // A step is over only by its own trap; another is left over from an earlier run.
            return how == Resume.EMULATE_STEP && code != TRAP_TRACE ? null : Arrival.TRAP;
        }
        boolean fault = signal == 4 || signal == 7 || signal == 8 || signal == 11 || signal == 31;
        if (!fault) {
            return null;
        }
        if (nextEvent() instanceof Event.Instruction expected) {
            TrappedInstruction.Found found = TrappedInstruction.at(tracee, signal, tracee.register(Reg.RIP));
            if (found != null && found.instruction().kind() == expected.kind()) {
                applier.checkProof(task, expected.proof());
                arrived = true;
                return Arrival.EVENT;
            }
        }
        throw diverged(
                EventText.of(nextEvent()),
                "signal " + signal + " at 0x" + Long.toHexString(tracee.register(Reg.RIP)) + " in task " + task.tid());
    }

    /** A single step leaves the trap flag in what the processor saves of the flags. */
    private static void cleanTrapFlag(Tracee tracee, Resume how) {
        if (how == Resume.EMULATE_STEP) {
            long trapFlag = 0x100;
            tracee.setRegister(Reg.R11, tracee.register(Reg.R11) & ~trapFlag);
        }
    }

    private static boolean isPushf(byte[] code) {
        byte pushf = (byte) 0x9c;
        return code.length >= 2 && (code[0] == pushf || code[0] == 0x66 && code[1] == pushf);
    }

    private static void clearPushedTrapFlag(Tracee tracee) {
        long rsp = tracee.register(Reg.RSP);
        long trapFlag = 0x100;
        tracee.memory().writeLong(rsp, tracee.memory().readLong(rsp) & ~trapFlag);
    }

    /** Applies the next event, at which its task has arrived. */
    public void apply() {
        Event event = nextEvent();
        applier.apply(event);
        next++;
        nextEvent = null;
        ahead = null;
        arrived = false;
        moved = false;
    }

    /** Memory that the next event will write, for watchpoints; empty when it writes none. */
    public java.util.List<MemoryWrite> pendingWrites() {
        return switch (nextEvent()) {
            case Event.Syscall call -> call.writes();
            case Event.SyscallExit exit -> exit.writes();
            case Event.Signal signal ->
                signal.frame() == null ? java.util.List.of() : java.util.List.of(signal.frame());
            case Event.TaskExit exit -> exit.writes();
            case Event.SyscallEnter enter -> enter.writes();
            case Event.Instruction instruction -> java.util.List.of();
            case Event.ClockTrap trap -> java.util.List.of();
            case Event.Preempt preempt -> java.util.List.of();
        };
    }

    /** The report of a divergence at the next event. */
    DivergenceException diverged(String expected, String actual) {
        StringBuilder history = new StringBuilder();
        for (long n = Math.max(0, next - 5); n < next; n++) {
            history.append("\n  event ").append(n).append(": ").append(EventText.of(source.event(n)));
        }
        return new DivergenceException(next, expected, actual + (history.isEmpty() ? "" : "; before it:" + history));
    }

    /** Ends every task of this session. */
    @Override
    public void close() {
        for (ReplayTask task : tasks.values()) {
            tracer.kill(task.tracee().tid(), 9);
        }
        for (ReplayTask task : tasks.values()) {
            tracer.awaitEnd(task.tracee());
        }
        tasks.clear();
        objects.close();
    }
}
