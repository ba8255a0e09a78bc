package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget;
import dev.eremite.replay.debug.Stop;
import dev.eremite.replay.debug.Stop.Reason;
import dev.eremite.replay.debug.ThreadRegisters;
import dev.eremite.replay.debug.TimeTravel;
import dev.eremite.replay.session.RecordingSource;
import dev.eremite.replay.session.ReplayOutput;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.timeline.Run.End;
import dev.eremite.tracer.linux.Tracer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/**
 * A recording as a line on which a debugger moves forwards and backwards. All its methods but {@link #interrupt} are called
 * from the tracer's thread.
 */
public final class Timeline implements DebugTarget {
    private final RecordingSource source;
    private final Tracer tracer;
    private final Inspection inspection;
    private final Stops stops;
    private final Diversions diversions;
    private final java.util.function.Function<String, Optional<java.nio.file.Path>> files;
    private final DebugScope scope;
    private final Travel travel;
    private final MonitorCommands commands;
    private final List<Breakpoint> breakpoints = new ArrayList<>();
    private final Journey journey;
    private Stop stop;
    private String notice = "";
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
        ReplaySession first = new ReplaySession(tracer, source, gate);
        long start = debugged.map(ProcessTable.Entry::start).orElse(1L);
        while (first.position() < start) {
            gate.at(first.position());
            first.step();
        }
        gate.shown(start);
        int process =
                debugged.map(ProcessTable.Entry::pid).orElse(source.event(0).task());
        scope = new DebugScope(process, gate);
        travel = new Travel(this, source, process, interruption);
        commands = new MonitorCommands(this, source, travel);
        diversions = new Diversions(scope);
        inspection = new Inspection(scope, layout);
        stops = new Stops(scope, source);
        journey = new Journey(source, scope, first, breakpoints, this::interrupted);
        stop = here(Reason.ATTACHED);
    }

    private Stop here(Reason reason) {
        return stops.at(journey.present(), reason, null);
    }

    private ReplaySession view() {
        if (scope.examined() != null) {
            return scope.examined();
        }
        return diversions.orElse(journey.present());
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
    public byte[] readMemory(int process, long address, int length) {
        return diversions
                .readScratch(address, length)
                .orElseGet(() -> inspection.memory(view(), process, address, length));
    }

    @Override
    public List<MemoryRegion> memoryRegions(int process) {
        return inspection.regions(view(), process);
    }

    @Override
    public byte[] auxv(int process) {
        return inspection.image(journey.present(), process).auxv();
    }

    @Override
    public String executable(int process) {
        return inspection.image(journey.present(), process).path();
    }

    @Override
    public Optional<byte[]> siginfo(int thread) {
        return diversions.active() ? Optional.empty() : inspection.siginfo(journey.present(), thread);
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
            Stop moved = attempt(() -> journey.move(movement));
            // One that is gone is nothing to stand at.
            stop = moved.reason() == Reason.EXITED ? here(Reason.ATTACHED) : moved;
            notice = stops.notice(moved, forward, journey.present());
            return moved;
        });
    }

    /** Does what moves the journey; where that fails, it is left at its last checkpoint, from which the user can go on. */
    private <T> T attempt(Supplier<T> move) {
        try {
            return move.get();
        } catch (RuntimeException e) {
            try {
                journey.recover();
                stop = here(Reason.ATTACHED);
            } catch (RuntimeException again) {
                e.addSuppressed(again);
                throw e;
            }
            throw new IllegalStateException(e.getMessage() + "; back to event " + position(), e);
        }
    }

    @Override
    public void addBreakpoint(Breakpoint breakpoint) {
        removeBreakpoint(breakpoint.kind(), breakpoint.process(), breakpoint.address(), breakpoint.length());
        breakpoints.add(breakpoint);
    }

    @Override
    public void removeBreakpoint(BreakpointKind kind, int process, long address, long length) {
        breakpoints.removeIf(
                b -> b.kind() == kind && b.process() == process && b.address() == address && b.length() == length);
    }

    @Override
    public Stop restart() {
        diversions.end();
        scope.beginAgain();
        journey.toBeginning();
        stop = here(Reason.ATTACHED);
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
    public boolean canCatchSyscalls() {
        return true;
    }

    @Override
    public void catchSyscalls(IntPredicate wanted) {
        scope.catchCalls(wanted);
    }

    @Override
    public void tell(Set<ProcessEvent> told) {
        scope.tell(told);
        if (told.isEmpty()) {
            scope.debuggerGone(journey.present());
        }
    }

    @Override
    public boolean attach(int process) {
        boolean exists = journey.present().tasks().values().stream()
                .anyMatch(task -> task.process().pid() == process);
        if (exists) {
            scope.attach(process);
            stop = stops.at(journey.present(), Reason.ATTACHED, scope.anyTask(journey.present(), process));
        }
        return exists;
    }

    @Override
    public void detach(int process) {
        breakpoints.removeIf(point -> point.process() == process);
        scope.detach(process, journey.present());
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
        return journey.present().position();
    }

    /** Whether code has run since the event before the present position. */
    boolean inside() {
        return journey.present().moved() || journey.present().ranToEvent();
    }

    /** Names the present place, as long as the timeline exists. */
    Goal place() {
        return Places.of(journey.present());
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
        boolean there = attempt(() -> journey.seek(goal));
        stop = here(there ? Reason.ATTACHED : Reason.INTERRUPTED);
        return there;
    }

    /** Goes back to the last change of some memory: a hit, the beginning of history, or an interruption. */
    End backToWrite(long address, long length) {
        diversions.end();
        End end = attempt(() -> journey.backToWrite(stop.process(), address, length));
        stop = end == End.HIT ? here(Reason.ATTACHED) : stop;
        return end;
    }

    /** What the program prints; empty when interrupted. */
    Optional<OutputIndex> indexOutput() {
        return OutputIndex.of(tracer, source, this::interrupted);
    }

    @Override
    public boolean writeMemory(int process, long address, byte[] bytes) {
        return diversions.writeMemory(journey.present(), process, address, bytes);
    }

    @Override
    public boolean canAllocate() {
        return true;
    }

    @Override
    public long allocate(int length) {
        return diversions.allocate(length);
    }

    @Override
    public boolean release(long address) {
        return diversions.release(address);
    }

    @Override
    public boolean writeRegisters(int thread, ThreadRegisters registers) {
        return diversions.writeRegisters(journey.present(), thread, registers);
    }

    @Override
    public String takeNotice() {
        String text = diversions.takeNotice() + notice;
        notice = "";
        return text;
    }

    @Override
    public void close() {
        diversions.end();
        journey.close();
        tracer.close();
        source.close();
    }
}
