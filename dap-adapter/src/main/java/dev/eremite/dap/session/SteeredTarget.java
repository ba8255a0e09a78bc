package dev.eremite.dap.session;

import dev.eremite.replay.debug.DebugTarget;
import dev.eremite.replay.debug.Stop;
import dev.eremite.replay.debug.ThreadRegisters;
import dev.eremite.replay.debug.TimeTravel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * The replay as GDB sees it. Whatever makes GDB move can be made to go somewhere else: so a seek is an ordinary movement
 * for GDB, which looks at everything anew when it stops. It also remembers the last stop in the engine's own words.
 */
public final class SteeredTarget implements DebugTarget {
    private final DebugTarget target;
    private final AtomicReference<Predicate<TimeTravel>> destination = new AtomicReference<>();
    private volatile Stop last;
    private volatile boolean arrived;
    private volatile boolean steered;
    private volatile String notice = "";

    /** A target in front of another one. */
    public SteeredTarget(DebugTarget target) {
        this.target = target;
        last = target.current();
    }

    /**
     * Makes the next movement, whatever it is, go elsewhere. It ends like one that was interrupted, which is what GDB
     * always obeys.
     *
     * @param way goes there, on the target's thread; whether it arrived
     */
    void steer(Predicate<TimeTravel> way) {
        arrived = false;
        destination.set(way);
    }

    /** Whether the last steered movement arrived where it should. */
    boolean arrived() {
        return arrived;
    }

    /** Whether the last movement was steered, and interrupted on the way. */
    boolean interruptedSeek() {
        return steered && !arrived;
    }

    /** What the engine said of the last movement; empty if nothing. */
    String notice() {
        return notice;
    }

    /** Forgets where to go, because GDB refused to move. */
    void forgetWay() {
        destination.set(null);
    }

    /** The last stop, in the engine's own words; from any thread. */
    Stop last() {
        return last;
    }

    @Override
    public Stop move(Movement movement) {
        Predicate<TimeTravel> way = destination.getAndSet(null);
        steered = way != null;
        if (way == null) {
            last = target.move(movement);
        } else {
            arrived = way.test(target.timeTravel().orElseThrow());
            Stop there = target.current();
            last = new Stop(Stop.Reason.INTERRUPTED, there.process(), there.thread(), 0, 0, there.event());
        }
        return last;
    }

    @Override
    public Stop stay() {
        steered = destination.getAndSet(null) != null;
        last = target.stay();
        return last;
    }

    @Override
    public Stop restart() {
        last = target.restart();
        return last;
    }

    @Override
    public List<ThreadInfo> threads() {
        return target.threads();
    }

    @Override
    public Stop current() {
        return target.current();
    }

    @Override
    public void interrupt() {
        target.interrupt();
    }

    @Override
    public ThreadRegisters registers(int thread) {
        return target.registers(thread);
    }

    @Override
    public byte[] readMemory(int process, long address, int length) {
        return target.readMemory(process, address, length);
    }

    @Override
    public List<MemoryRegion> memoryRegions(int process) {
        return target.memoryRegions(process);
    }

    @Override
    public void addBreakpoint(Breakpoint breakpoint) {
        target.addBreakpoint(breakpoint);
    }

    @Override
    public void removeBreakpoint(BreakpointKind kind, int process, long address, long length) {
        target.removeBreakpoint(kind, process, address, length);
    }

    @Override
    public byte[] auxv(int process) {
        return target.auxv(process);
    }

    @Override
    public String executable(int process) {
        return target.executable(process);
    }

    @Override
    public Optional<byte[]> siginfo(int thread) {
        return target.siginfo(thread);
    }

    @Override
    public Optional<Path> file(String path) {
        return target.file(path);
    }

    @Override
    public void passSignals(Set<Integer> signals) {
        target.passSignals(signals);
    }

    @Override
    public void tell(Set<ProcessEvent> events) {
        target.tell(events);
    }

    @Override
    public boolean attach(int process) {
        return target.attach(process);
    }

    @Override
    public void detach(int process) {
        target.detach(process);
    }

    @Override
    public boolean canCatchSyscalls() {
        return target.canCatchSyscalls();
    }

    @Override
    public void catchSyscalls(IntPredicate wanted) {
        target.catchSyscalls(wanted);
    }

    @Override
    public Optional<TimeTravel> timeTravel() {
        return target.timeTravel();
    }

    @Override
    public String monitor(String command) {
        return target.monitor(command);
    }

    @Override
    public boolean writeMemory(int process, long address, byte[] bytes) {
        return target.writeMemory(process, address, bytes);
    }

    @Override
    public boolean writeRegisters(int thread, ThreadRegisters registers) {
        return target.writeRegisters(thread, registers);
    }

    @Override
    public String takeNotice() {
        notice = target.takeNotice();
        return notice;
    }

    @Override
    public void close() {
        target.close();
    }
}
