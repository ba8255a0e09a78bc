package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget;
import dev.eremite.replay.debug.Stop;
import dev.eremite.replay.debug.Stop.Reason;
import dev.eremite.replay.debug.ThreadRegisters;
import dev.eremite.replay.debug.TimeTravel;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.session.RecordingSource;
import dev.eremite.replay.session.ReplayOutput;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.session.ReplayTask;
import dev.eremite.replay.timeline.Backward.Found;
import dev.eremite.replay.timeline.Run.End;
import dev.eremite.replay.timeline.Run.Outcome;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Tracer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A recording as a line on which a debugger moves forwards and backwards. All its methods but {@link #interrupt} are called
 * from the tracer's thread.
 */
public final class Timeline implements DebugTarget {
    private static final long CHECKPOINT_NANOS = 60_000_000;

    private final RecordingSource source;
    private final Tracer tracer;
    private final Inspection inspection;
    private final Stops stops;
    private final Diversions diversions;
    private final java.util.function.Function<String, Optional<java.nio.file.Path>> files;
    private final DebugScope scope;
    private final History history = new History();
    private final Travel travel;
    private final MonitorCommands commands;
    private final List<Breakpoint> breakpoints = new ArrayList<>();
    private ReplaySession present;
    private Snapshot base;
    private StepWindow window;
    private int windowStep;
    private Stop stop;
    private boolean signalShown;
    private long costNanos;
    private final Interruption interruption = new Interruption();

    /**
     * Opens a recording at the first instruction of a process. Closing the timeline closes the source and the tracer.
     *
     * @param tracer the tracer of the calling thread
     * @param output receives what the program prints, once and in order
     * @param layout where the vector registers lie in the XSAVE area on this machine
     * @param files finds the content of a file that the recording holds by the path that the guest saw
     * @param debugged the process to show, from {@link ProcessTable}; empty for the first one
     */
    public Timeline(
            RecordingSource source,
            Tracer tracer,
            ReplayOutput output,
            ThreadRegisters.XsaveLayout layout,
            java.util.function.Function<String, Optional<java.nio.file.Path>> files,
            Optional<ProcessTable.Entry> debugged) {
        this.source = source;
        this.tracer = tracer;
        this.files = files;
        OutputGate gate = new OutputGate(output);
        present = new ReplaySession(tracer, source, gate);
        long start = debugged.map(ProcessTable.Entry::start).orElse(1L);
        while (present.position() < start) {
            gate.at(present.position());
            present.step();
        }
        gate.shown(start);
        scope = new DebugScope(
                debugged.map(ProcessTable.Entry::pid).orElse(source.event(0).task()), gate);
        travel = new Travel(this, source, scope.process(), interruption);
        commands = new MonitorCommands(this, source, travel);
        diversions = new Diversions(scope);
        inspection = new Inspection(scope, layout);
        stops = new Stops(scope, source);
        base = History.freeze(present, 0).orElseThrow();
        history.addAfter(null, base);
        stop = stopAt(Reason.ATTACHED, null);
    }

    private ReplaySession view() {
        if (scope.examined() != null) {
            return scope.examined();
        }
        return diversions.orElse(present);
    }

    @Override
    public List<ThreadInfo> threads() {
        return inspection.threads(view());
    }

    @Override
    public ThreadRegisters registers(int thread) {
        return inspection.registers(view(), thread);
    }

    @Override
    public byte[] readMemory(long address, int length) {
        return inspection.memory(view(), address, length);
    }

    @Override
    public byte[] auxv() {
        return inspection.image(present).auxv();
    }

    @Override
    public String executable() {
        return inspection.image(present).path();
    }

    @Override
    public Optional<byte[]> siginfo(int thread) {
        return diversions.active() ? Optional.empty() : inspection.siginfo(present, thread);
    }

    @Override
    public Stop current() {
        return stop;
    }

    @Override
    public void interrupt() {
        if (interruption.request()) {
            tracer.wake();
        }
    }

    private boolean interrupted() {
        return interruption.requested();
    }

    @Override
    public Stop move(Movement movement) {
        return interruption.during(() -> {
            boolean forward = movement.direction() == Direction.FORWARD;
            if (forward && diversions.leads()) {
                stop = diversions.move(movement, breakpoints, this::interrupted);
                return stop;
            }
            diversions.end();
            if (movement.thread() == 0) {
                stop = forward ? goForward() : goBack();
            } else {
                Run run = newRun();
                do {
                    stop = forward ? stepForward(movement.thread(), run) : stepBack(movement.thread());
                } while (stop.reason() == Reason.STEP && inRange(movement, stop.thread()) && !interrupted());
            }
            scope.output().shown(present.position());
            return stop;
        });
    }

    private boolean inRange(Movement movement, int thread) {
        long pc = task(thread).tracee().register(Reg.RIP);
        return movement.rangeStart() <= pc && pc < movement.rangeEnd();
    }

    private Stop goForward() {
        leaveWindow();
        Run run = newRun();
        if (signalShown) {
            run.signalReported();
        } else if (!present.atEnd() && !present.arrived()) {
            Outcome left = run.leaveBreakpoint();
            if (left != null) {
                return forwardStop(left);
            }
        }
        signalShown = false;
        while (true) {
            long started = System.nanoTime();
            Outcome outcome = run.go(new Goal.End(), true, CHECKPOINT_NANOS);
            costNanos += System.nanoTime() - started;
            if (outcome.end() != End.TIME) {
                return forwardStop(outcome);
            }
            checkpoint();
        }
    }

    private Run newRun() {
        return new Run(present, scope, breakpoints, this::interrupted);
    }

    /** Keeps a checkpoint here, unless later ones exist already, whose order to this place is not known. */
    private void checkpoint() {
        int next = history.indexOf(base) + 1;
        boolean last = next >= history.size() || history.get(next).event() > present.position();
        if (last) {
            Optional<Snapshot> made = History.freeze(present, costNanos);
            if (made.isPresent()) {
                history.addAfter(base, made.get());
                base = made.get();
            }
        } else if (!present.moved()) {
            base = history.lastBefore(present.position());
        }
    }

    private Stop forwardStop(Outcome outcome) {
        return switch (outcome.end()) {
            case HIT -> stops.hit(present, outcome.hit());
            case SIGNAL -> signalStop();
            case HISTORY_END, GOAL -> stopAt(Reason.HISTORY_END, null);
            case INTERRUPTED, TIME, CROWDED -> stopAt(Reason.INTERRUPTED, null);
        };
    }

    private Stop signalStop() {
        signalShown = true;
        return stops.signal(present);
    }

    private Stop stopAt(Reason reason, ReplayTask where) {
        return stops.at(present, reason, where);
    }

    /** Moves forward until the thread has executed one instruction. */
    private Stop stepForward(int thread, Run run) {
        leaveWindow();
        while (true) {
            if (scope.ended(present)) {
                return stopAt(Reason.HISTORY_END, null);
            }
            if (interrupted()) {
                return stopAt(Reason.INTERRUPTED, null);
            }
            ReplayTask next = present.nextTask();
            boolean own = next != null && next.tid() == thread;
            if (present.arrived()) {
                if (!signalShown && scope.reports(present)) {
                    return signalStop();
                }
                signalShown = false;
                Event event = present.nextEvent();
                Outcome watched = run.single();
                if (watched != null) {
                    return forwardStop(watched);
                }
                boolean stepped = own && !(event instanceof Event.SyscallEnter) && !isEnginesOwn(event);
                if (stepped || task(thread) == null) {
                    return stopAt(Reason.STEP, task(thread));
                }
            } else if (own) {
                Outcome watched = run.single();
                if (watched != null) {
                    return forwardStop(watched);
                }
                if (!present.arrived()) {
                    return stopAt(Reason.STEP, next);
                }
            } else {
                Outcome outcome = run.go(new Goal.Arrival(present.position()), true, -1);
                if (outcome.end() != End.GOAL) {
                    return forwardStop(outcome);
                }
            }
        }
    }

    /** Whether an event is none of the guest's doing. */
    static boolean isEnginesOwn(Event event) {
        return event instanceof Event.Preempt || event instanceof Event.ClockTrap;
    }

    private Stop goBack() {
        Optional<Found> near = new WindowSearch(scope, present, this::interrupted)
                .lastHit(window, windowStep, baseOfPresent(), breakpoints);
        if (near.isPresent()) {
            arriveAt(near.get());
            return stops.hit(present, near.get().hit());
        }
        Goal here = Places.of(present);
        Backward search = new Backward(source, scope, history, present, this::interrupted);
        long signal = search.lastSignal(here);
        Optional<Found> found = search.lastHit(here, baseOfPresent(), breakpoints, signal);
        if (found.isPresent()) {
            arriveAt(found.get());
            return stops.hit(present, found.get().hit());
        }
        Optional<Found> arrival = signal < 0 || interrupted() ? Optional.empty() : search.atSignal(signal);
        if (arrival.isPresent()) {
            arriveAt(arrival.get());
            return signalStop();
        }
        return interrupted() ? stopAt(Reason.INTERRUPTED, null) : toBeginning();
    }

    private Found beginning() {
        Snapshot first = history.get(0);
        return new Found(first.frozen().thaw(present), first, null, null, 0);
    }

    private Stop toBeginning() {
        arriveAt(beginning());
        return stopAt(Reason.HISTORY_BEGIN, null);
    }

    /** One step back; where it goes over a change of watched memory, that is what is reported. */
    private Stop stepBack(int thread) {
        WatchedValues before = WatchedValues.of(breakpoints, this::readMemory);
        Stop step = oneBack(thread);
        Optional<Breakpoint> changed = step.reason() == Reason.STEP ? before.firstChanged() : Optional.empty();
        return changed.isPresent() ? stops.hit(present, changed.get()) : step;
    }

    private Stop oneBack(int thread) {
        if (window != null && windowStep > 0 && present.nextTask().tid() == thread) {
            ReplaySession earlier = window.at(windowStep - 1, present);
            windowStep--;
            replacePresent(earlier);
            return stopAt(Reason.STEP, task(thread));
        }
        Backward search = new Backward(source, scope, history, present, this::interrupted);
        Optional<Found> found = search.previous(Places.of(present), baseOfPresent(), thread);
        if (found.isEmpty()) {
            return interrupted() ? stopAt(Reason.INTERRUPTED, null) : toBeginning();
        }
        arriveAt(found.get());
        return stopAt(Reason.STEP, task(thread));
    }

    /** The last checkpoint before the present place that still exists. */
    private Snapshot baseOfPresent() {
        return history.indexOf(base) >= 0 ? base : history.lastBefore(present.position());
    }

    private void arriveAt(Found found) {
        replacePresent(found.session());
        base = found.base();
        if (found.window() != window) {
            leaveWindow();
        }
        window = found.window();
        windowStep = found.step();
    }

    private void replacePresent(ReplaySession session) {
        ReplaySession old = present;
        present = session;
        signalShown = false;
        old.close();
    }

    private void leaveWindow() {
        if (window != null) {
            window.close();
            window = null;
        }
    }

    private ReplayTask task(int thread) {
        return view().tasks().get(thread);
    }

    @Override
    public void addBreakpoint(Breakpoint breakpoint) {
        removeBreakpoint(breakpoint.kind(), breakpoint.process(), breakpoint.address(), breakpoint.length());
        breakpoints.add(breakpoint);
    }

    @Override
    public void removeBreakpoint(BreakpointKind kind, int process, long address, long length) {
        breakpoints.removeIf(b -> b.kind() == kind && b.address() == address && b.length() == length);
    }

    @Override
    public Stop restart() {
        diversions.end();
        stop = toBeginning();
        stop = stopAt(Reason.ATTACHED, null);
        return stop;
    }

    @Override
    public Optional<java.nio.file.Path> file(String path) {
        return files.apply(path);
    }

    @Override
    public void passSignals(Set<Integer> signals) {
        scope.pass(signals);
    }

    @Override
    public String monitor(String command) {
        return interruption.during(() -> commands.run(command));
    }

    @Override
    public Optional<TimeTravel> timeTravel() {
        return Optional.of(travel);
    }

    /** The number of the next event. */
    long position() {
        return present.position();
    }

    /** Whether code has run since the event before the present position. */
    boolean inside() {
        return present.moved() || present.ranToEvent();
    }

    /** Names the present place, as long as the timeline exists. */
    Goal place() {
        return Places.of(present);
    }

    /**
     * Goes to the boundary before an event, for {@code eremite replay --goto}.
     *
     * @param event its number; that of the first or last one that there is when out of range
     */
    public void seek(long event) {
        seek(new Goal.Boundary(Math.clamp(event, 0, source.size())));
    }

    /** Goes to a place without regard to breakpoints; false when interrupted on the way, wherever that is. */
    boolean seek(Goal goal) {
        diversions.end();
        boolean there;
        if (goal.event() > present.position()) {
            leaveWindow();
            there = runTo(goal);
        } else {
            Optional<Found> found = goal.event() < history.get(0).event()
                    ? Optional.of(beginning())
                    : new Backward(source, scope, history, present, this::interrupted).standing(goal);
            found.ifPresent(this::arriveAt);
            there = found.isPresent();
        }
        stop = stopAt(there ? Reason.ATTACHED : Reason.INTERRUPTED, null);
        return there;
    }

    private boolean runTo(Goal goal) {
        Run run = new Run(present, scope, List.of(), this::interrupted);
        while (true) {
            long started = System.nanoTime();
            End end = run.go(goal, false, CHECKPOINT_NANOS).end();
            costNanos += System.nanoTime() - started;
            if (end != End.TIME) {
                scope.output().shown(present.position());
                return end != End.INTERRUPTED;
            }
            checkpoint();
        }
    }

    /** Goes back to the last change of some memory: a hit, the beginning of history, or an interruption. */
    End backToWrite(long address, long length) {
        diversions.end();
        Breakpoint watch = new Breakpoint(BreakpointKind.WRITE, scope.process(), address, length, List.of());
        Backward search = new Backward(source, scope, history, present, this::interrupted);
        Optional<Found> found = search.lastHit(Places.of(present), baseOfPresent(), List.of(watch), -1);
        if (found.isEmpty()) {
            return interrupted() ? End.INTERRUPTED : End.HISTORY_END;
        }
        arriveAt(found.get());
        stop = stopAt(Reason.ATTACHED, null);
        return End.HIT;
    }

    /** What the program prints; empty when interrupted. */
    Optional<OutputIndex> indexOutput() {
        return OutputIndex.of(tracer, source, this::interrupted);
    }

    @Override
    public boolean writeMemory(long address, byte[] bytes) {
        return diversions.writeMemory(present, address, bytes);
    }

    @Override
    public boolean writeRegisters(int thread, ThreadRegisters registers) {
        return diversions.writeRegisters(present, thread, registers);
    }

    @Override
    public String takeNotice() {
        String text = diversions.takeNotice();
        return stop.reason() == Reason.HISTORY_END ? text + stops.ending(present) : text;
    }

    @Override
    public void close() {
        leaveWindow();
        diversions.end();
        history.close();
        tracer.close();
        source.close();
    }
}
