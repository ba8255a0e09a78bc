package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget;
import dev.eremite.replay.debug.Stop;
import dev.eremite.replay.debug.Stop.Reason;
import dev.eremite.replay.debug.ThreadRegisters;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.session.RecordingSource;
import dev.eremite.replay.session.ReplayOutput;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.session.ReplaySession.Arrival;
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
    /** The kernel sets it at a debug register's stop; it is none of the guest's. */
    private static final long RESUME_FLAG = 0x10000;

    private static final long CHECKPOINT_NANOS = 60_000_000;

    private final RecordingSource source;
    private final Tracer tracer;
    private final ThreadRegisters.XsaveLayout layout;
    private final java.util.function.Function<String, Optional<java.nio.file.Path>> files;
    private final DebugScope scope;
    private final History history = new History();
    private final List<Breakpoint> breakpoints = new ArrayList<>();
    private ReplaySession present;
    private Snapshot base;
    private StepWindow window;
    private int windowStep;
    private Stop stop;
    private boolean signalShown;
    private long costNanos;
    private volatile boolean interruptRequested;

    /**
     * Opens a recording at its first instruction. Closing the timeline closes the source and the tracer.
     *
     * @param tracer the tracer of the calling thread
     * @param output receives what the program prints, once and in order
     * @param layout where the vector registers lie in the XSAVE area on this machine
     * @param files finds the content of a file that the recording holds by the path that the guest saw
     */
    public Timeline(
            RecordingSource source,
            Tracer tracer,
            ReplayOutput output,
            ThreadRegisters.XsaveLayout layout,
            java.util.function.Function<String, Optional<java.nio.file.Path>> files) {
        this.source = source;
        this.tracer = tracer;
        this.layout = layout;
        this.files = files;
        OutputGate gate = new OutputGate(output);
        present = new ReplaySession(tracer, source, gate);
        present.step();
        scope = new DebugScope(source.event(0).task(), gate);
        base = History.freeze(present, 0).orElseThrow();
        history.addAfter(null, base);
        stop = stopAt(Reason.ATTACHED, 0, 0, null);
    }

    private ReplaySession view() {
        return scope.examined() != null ? scope.examined() : present;
    }

    @Override
    public List<ThreadInfo> threads() {
        List<ThreadInfo> threads = new ArrayList<>();
        for (ReplayTask task : view().tasks().values()) {
            if (scope.sees(task)) {
                threads.add(new ThreadInfo(scope.process(), task.tid(), "thread " + task.tid()));
            }
        }
        return threads;
    }

    @Override
    public Stop current() {
        return stop;
    }

    @Override
    public void interrupt() {
        interruptRequested = true;
        tracer.wake();
    }

    private boolean interrupted() {
        return interruptRequested;
    }

    @Override
    public Stop move(Movement movement) {
        try {
            boolean forward = movement.direction() == Direction.FORWARD;
            if (movement.thread() == 0) {
                stop = forward ? goForward() : goBack();
            } else {
                do {
                    stop = forward ? stepForward(movement.thread()) : stepBack(movement.thread());
                } while (stop.reason() == Reason.STEP && inRange(movement, stop.thread()) && !interrupted());
            }
            scope.output().shown(present.position());
            return stop;
        } finally {
            interruptRequested = false;
        }
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
            run.leaveBreakpoint();
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
            case HIT -> hitStop(outcome.hit());
            case SIGNAL -> signalStop();
            case HISTORY_END, GOAL -> stopAt(Reason.HISTORY_END, 0, 0, null);
            case INTERRUPTED, TIME -> stopAt(Reason.INTERRUPTED, 0, 0, null);
        };
    }

    private Stop hitStop(Breakpoint hit) {
        Reason reason = switch (hit.kind()) {
            case SOFTWARE -> Reason.BREAKPOINT;
            case HARDWARE -> Reason.HARDWARE_BREAKPOINT;
            case WRITE -> Reason.WATCH;
            case READ -> Reason.READ_WATCH;
            case ACCESS -> Reason.ACCESS_WATCH;
        };
        boolean code = hit.kind() == BreakpointKind.SOFTWARE || hit.kind() == BreakpointKind.HARDWARE;
        return stopAt(reason, 0, code ? 0 : hit.address(), null);
    }

    private Stop signalStop() {
        signalShown = true;
        Event.Signal signal = (Event.Signal) present.nextEvent();
        return stopAt(Reason.SIGNAL, signal.signal(), 0, present.nextTask());
    }

    private Stop stopAt(Reason reason, int signal, long address, ReplayTask where) {
        ReplayTask task = where != null ? where : presentTask();
        return new Stop(reason, scope.process(), task == null ? 0 : task.tid(), signal, address, present.position());
    }

    /** The debugged process's thread that runs next, or ran last, at the present place. */
    private ReplayTask presentTask() {
        ReplayTask next = present.nextTask();
        if (next != null && scope.sees(next) && (present.moved() || present.ranToEvent())) {
            return next;
        }
        for (long n = present.position() - 1; n >= 0; n--) {
            ReplayTask task = present.tasks().get(source.event(n).task());
            if (task != null && scope.sees(task)) {
                return task;
            }
        }
        return scope.anyTask(present);
    }

    /** Moves forward until the thread has executed one instruction. */
    private Stop stepForward(int thread) {
        leaveWindow();
        while (true) {
            if (scope.ended(present)) {
                return stopAt(Reason.HISTORY_END, 0, 0, null);
            }
            if (interrupted()) {
                return stopAt(Reason.INTERRUPTED, 0, 0, null);
            }
            ReplayTask next = present.nextTask();
            boolean own = next != null && next.tid() == thread;
            if (present.arrived()) {
                if (!signalShown && scope.reports(present)) {
                    return signalStop();
                }
                signalShown = false;
                Event event = present.nextEvent();
                scope.output().at(present.position());
                present.apply();
                boolean stepped = own && !(event instanceof Event.SyscallEnter) && !(event instanceof Event.Preempt);
                if (stepped || task(thread) == null) {
                    return stopAt(Reason.STEP, 0, 0, task(thread));
                }
            } else if (own) {
                if (Run.step(present) != Arrival.EVENT) {
                    return stopAt(Reason.STEP, 0, 0, next);
                }
            } else {
                Outcome outcome = newRun().go(new Goal.Arrival(present.position()), true, -1);
                if (outcome.end() != End.GOAL) {
                    return forwardStop(outcome);
                }
            }
        }
    }

    private Stop goBack() {
        Goal here = Places.of(present);
        Backward search = new Backward(source, scope, history, present, this::interrupted);
        long signal = search.lastSignal(here);
        Optional<Found> found = search.lastHit(here, baseOfPresent(), breakpoints, signal);
        if (found.isPresent()) {
            arriveAt(found.get());
            return hitStop(found.get().hit());
        }
        Optional<Found> arrival = signal < 0 || interrupted() ? Optional.empty() : search.atSignal(signal);
        if (arrival.isPresent()) {
            arriveAt(arrival.get());
            return signalStop();
        }
        return interrupted() ? stopAt(Reason.INTERRUPTED, 0, 0, null) : toBeginning();
    }

    private Stop toBeginning() {
        Snapshot first = history.get(0);
        arriveAt(new Found(first.frozen().thaw(present), first, null, null, 0));
        return stopAt(Reason.HISTORY_BEGIN, 0, 0, null);
    }

    private Stop stepBack(int thread) {
        if (window != null && windowStep > 0 && present.nextTask().tid() == thread) {
            ReplaySession earlier = window.at(windowStep - 1, present);
            windowStep--;
            replacePresent(earlier);
            return stopAt(Reason.STEP, 0, 0, task(thread));
        }
        Backward search = new Backward(source, scope, history, present, this::interrupted);
        Optional<Found> found = search.previous(Places.of(present), baseOfPresent(), thread);
        if (found.isEmpty()) {
            return interrupted() ? stopAt(Reason.INTERRUPTED, 0, 0, null) : toBeginning();
        }
        arriveAt(found.get());
        return stopAt(Reason.STEP, 0, 0, task(thread));
    }

    /** The last checkpoint before the present place that still exists. */
    private Snapshot baseOfPresent() {
        return history.indexOf(base) >= 0 ? base : history.lastBefore(present.position());
    }

    private void arriveAt(Found found) {
        replacePresent(found.session());
        base = found.base();
        leaveWindow();
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
    public ThreadRegisters registers(int thread) {
        ReplayTask task = task(thread);
        if (task == null) {
            throw new IllegalArgumentException("no thread " + thread);
        }
        long[] general = task.tracee().registers();
        general[Reg.EFLAGS] &= ~RESUME_FLAG;
        return new ThreadRegisters(general, task.tracee().xsave(), layout);
    }

    @Override
    public byte[] readMemory(long address, int length) {
        ReplayTask task = scope.anyTask(view());
        if (task == null) {
            return new byte[0];
        }
        byte[] memory = task.tracee().memory().read(address, length);
        task.process().hideTraps(address, memory);
        return memory;
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
        stop = toBeginning();
        stop = stopAt(Reason.ATTACHED, 0, 0, null);
        return stop;
    }

    @Override
    public byte[] auxv() {
        return scope.anyTask(present).process().image().auxv();
    }

    @Override
    public String executable() {
        return scope.anyTask(present).process().image().path();
    }

    @Override
    public Optional<byte[]> siginfo(int thread) {
        if (present.atEnd() || !(present.nextEvent() instanceof Event.Signal signal) || signal.task() != thread) {
            return Optional.empty();
        }
        return Optional.of(signal.siginfo());
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
        return switch (command.strip()) {
            case "when" -> "event " + present.position() + " of " + source.size() + "\n";
            case "help", "" -> "when: tells the number of the next event\n";
            default -> "unknown command; try: monitor help\n";
        };
    }

    @Override
    public boolean writeMemory(long address, byte[] bytes) {
        return false;
    }

    @Override
    public boolean writeRegisters(int thread, ThreadRegisters registers) {
        return false;
    }

    @Override
    public void close() {
        leaveWindow();
        history.close();
        tracer.close();
        source.close();
    }
}
