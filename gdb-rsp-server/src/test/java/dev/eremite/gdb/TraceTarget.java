package dev.eremite.gdb;

import dev.eremite.gdb.TinyProcessor.Access;
import dev.eremite.replay.debug.DebugTarget;
import dev.eremite.replay.debug.Stop;
import dev.eremite.replay.debug.Stop.Reason;
import dev.eremite.replay.debug.ThreadRegisters;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;

/**
 * A recording of the tiny program, as a list of all states: thread 1001 runs {@code _start}, and after every third of
 * its instructions thread 1002 runs two of {@code other}. A SIGUSR1 comes where thread 1001 reaches {@code finish}.
 */
final class TraceTarget implements DebugTarget {
    static final int PROCESS = 1001;
    static final int SECOND = 1002;
    static final int SIGUSR1 = 10;
    static final ThreadRegisters.XsaveLayout LAYOUT = new ThreadRegisters.XsaveLayout(576, 1088, 1152, 1664, 2688);
    private static final long STACK = 0x7ffff000L;
    private static final int MAX_CALL = 100;

    private record Step(int thread, Map<Integer, long[]> before, Access access) {}

    final TraceMemory memory = new TraceMemory();
    final List<String> calls = new ArrayList<>();
    final Map<BreakpointPlace, Breakpoint> breakpoints = new HashMap<>();
    final AtomicInteger interrupts = new AtomicInteger();
    private final TinyProgram program;
    private final List<Step> steps = new ArrayList<>();
    private final Map<Integer, long[]> atEnd;
    private final Map<Integer, long[]> changed = new HashMap<>();
    private int signalAt = -1;
    private int position;
    private Stop current = new Stop(Reason.ATTACHED, PROCESS, PROCESS, 0, 0, 0);
    private IntPredicate caught = number -> false;
    private Set<Integer> passed = Set.of();
    private volatile boolean interrupted;
    /** When set, forward and backward continues hang until they are interrupted. */
    volatile boolean slow;

    /** When set, movements fail. */
    volatile boolean broken;

    volatile CountDownLatch moving = new CountDownLatch(1);

    record BreakpointPlace(BreakpointKind kind, long address, long length) {}

    TraceTarget(TinyProgram program) {
        this.program = program;
        program.segments.forEach(memory::map);
        memory.map(STACK, new byte[4096]);
        Map<Integer, long[]> registers = new HashMap<>();
        registers.put(PROCESS, registers(program.address("_start"), STACK + 2048));
        registers.put(SECOND, registers(program.address("other"), STACK + 1024));
        long finish = program.address("finish");
        for (int round = 0; registers.get(PROCESS)[TinyProcessor.RIP] != finish + 2; round++) {
            int thread = round % 5 < 3 ? PROCESS : SECOND;
            if (signalAt < 0 && registers.get(PROCESS)[TinyProcessor.RIP] == finish) {
                signalAt = steps.size();
            }
            Map<Integer, long[]> before = copy(registers);
            steps.add(new Step(thread, before, TinyProcessor.step(memory, registers.get(thread))));
        }
        atEnd = copy(registers);
        for (int i = steps.size() - 1; i >= 0; i--) {
            undo(steps.get(i).access());
        }
    }

    int length() {
        return steps.size();
    }

    private static long[] registers(long pc, long sp) {
        long[] general = new long[27];
        general[TinyProcessor.RIP] = pc;
        general[TinyProcessor.RSP] = sp;
        general[TinyProcessor.FLAGS] = 0x202;
        general[15] = -1;
        return general;
    }

    private static Map<Integer, long[]> copy(Map<Integer, long[]> registers) {
        Map<Integer, long[]> copy = new HashMap<>();
        registers.forEach((thread, general) -> copy.put(thread, general.clone()));
        return copy;
    }

    private void undo(Access access) {
        if (access != null && access.write()) {
            memory.word(access.address(), access.before());
        }
    }

    @Override
    public List<ThreadInfo> threads() {
        return List.of(new ThreadInfo(PROCESS, PROCESS, "main"), new ThreadInfo(PROCESS, SECOND, "second <&>"));
    }

    @Override
    public Stop current() {
        return current;
    }

    @Override
    public Stop move(Movement movement) {
        calls.add(movement.toString());
        if (broken) {
            throw new IllegalStateException("broken");
        }
        interrupted = false;
        if (movement.direction() == Direction.FORWARD && changed.containsKey(current.thread())) {
            return diverted(current.thread());
        }
        changed.clear();
        moving.countDown();
        current = movement.direction() == Direction.FORWARD ? forward(movement) : backward(movement);
        return current;
    }

    /** Runs a call that the debugger set up, to the breakpoint where it returns; gives up where it never does. */
    private Stop diverted(int thread) {
        long[] registers = changed.get(thread);
        for (int i = 0; i < MAX_CALL; i++) {
            TinyProcessor.step(memory, registers);
            if (breakpoints.values().stream().anyMatch(b -> b.address() == registers[TinyProcessor.RIP])) {
                current = stop(Reason.BREAKPOINT, thread, 0, 0);
                return current;
            }
        }
        changed.clear();
        current = stop(Reason.INTERRUPTED, thread, 0, 0);
        return current;
    }

    private Stop forward(Movement movement) {
        while (true) {
            if (waitsForInterrupt()) {
                return stop(Reason.INTERRUPTED, current.thread(), 0, 0);
            }
            if (position == steps.size()) {
                return stop(Reason.HISTORY_END, current.thread(), 0, 0);
            }
            Step step = steps.get(position++);
            if (step.access() != null && step.access().write()) {
                memory.word(step.access().address(), step.access().after());
            }
            if (position == signalAt && !passed.contains(SIGUSR1)) {
                return stop(Reason.SIGNAL, PROCESS, SIGUSR1, 0);
            }
            int call = (int) atEnd.get(PROCESS)[10];
            if (position == steps.size() && caught.test(call)) {
                return stop(Reason.SYSCALL_ENTRY, PROCESS, call, 0);
            }
            Optional<Stop> hit = hit(step);
            if (hit.isPresent()) {
                return hit.get();
            }
            long pc = general(step.thread())[TinyProcessor.RIP];
            boolean inRange = pc >= movement.rangeStart() && pc < movement.rangeEnd();
            if (step.thread() == movement.thread() && !inRange) {
                return stop(Reason.STEP, step.thread(), 0, 0);
            }
        }
    }

    private Stop backward(Movement movement) {
        while (true) {
            if (waitsForInterrupt()) {
                return stop(Reason.INTERRUPTED, current.thread(), 0, 0);
            }
            if (position == 0) {
                return stop(Reason.HISTORY_BEGIN, PROCESS, 0, 0);
            }
            Step step = steps.get(--position);
            undo(step.access());
            Optional<Stop> hit = hit(step);
            if (hit.isPresent()) {
                return hit.get();
            }
            if (step.thread() == movement.thread()) {
                return stop(Reason.STEP, step.thread(), 0, 0);
            }
        }
    }

    private boolean waitsForInterrupt() {
        while (slow && !interrupted) {
            Thread.onSpinWait();
        }
        return interrupted;
    }

    private Optional<Stop> hit(Step done) {
        for (Breakpoint breakpoint : breakpoints.values()) {
            Reason reason = watched(breakpoint, done.access());
            if (reason != null) {
                return Optional.of(stop(reason, done.thread(), 0, breakpoint.address()));
            }
        }
        int next = position < steps.size() ? steps.get(position).thread() : done.thread();
        long pc = general(next)[TinyProcessor.RIP];
        for (Breakpoint breakpoint : breakpoints.values()) {
            boolean here = breakpoint.kind().ordinal() < 2 && breakpoint.address() == pc;
            List<Condition> conditions = breakpoint.conditions();
            if (here && (conditions.isEmpty() || conditions.stream().anyMatch(c -> c.holds(PROCESS, next)))) {
                boolean software = breakpoint.kind() == BreakpointKind.SOFTWARE;
                return Optional.of(stop(software ? Reason.BREAKPOINT : Reason.HARDWARE_BREAKPOINT, next, 0, 0));
            }
        }
        return Optional.empty();
    }

    private static Reason watched(Breakpoint watch, Access access) {
        boolean touches = access != null
                && watch.address() < access.address() + 8
                && access.address() < watch.address() + watch.length();
        if (!touches) {
            return null;
        }
        return switch (watch.kind()) {
            case WRITE -> access.write() ? Reason.WATCH : null;
            case READ -> access.write() ? null : Reason.READ_WATCH;
            case ACCESS -> Reason.ACCESS_WATCH;
            case SOFTWARE, HARDWARE -> null;
        };
    }

    private Stop stop(Reason reason, int thread, int signal, long address) {
        return new Stop(reason, PROCESS, thread, signal, address, position);
    }

    @Override
    public void interrupt() {
        interrupts.incrementAndGet();
        interrupted = true;
    }

    @Override
    public Stop restart() {
        while (position > 0) {
            undo(steps.get(--position).access());
        }
        current = stop(Reason.ATTACHED, PROCESS, 0, 0);
        return current;
    }

    private long[] general(int thread) {
        return position < steps.size() ? steps.get(position).before().get(thread) : atEnd.get(thread);
    }

    @Override
    public ThreadRegisters registers(int thread) {
        byte[] xsave = new byte[2696];
        for (int i = 0; i < 16; i++) {
            xsave[160 + 16 * i] = (byte) (i + 1);
            xsave[576 + 16 * i] = (byte) (0x20 + i);
        }
        xsave[0] = 0x7f;
        xsave[1] = 3;
        return new ThreadRegisters(changed.getOrDefault(thread, general(thread)).clone(), xsave, LAYOUT);
    }

    @Override
    public byte[] readMemory(int process, long address, int length) {
        return memory.read(address, length);
    }

    @Override
    public List<MemoryRegion> memoryRegions(int process) {
        return memory.segments().entrySet().stream()
                .map(entry ->
                        new MemoryRegion(entry.getKey(), entry.getKey() + entry.getValue().length, "rw", "/bin/tiny"))
                .toList();
    }

    @Override
    public void addBreakpoint(Breakpoint breakpoint) {
        breakpoints.put(new BreakpointPlace(breakpoint.kind(), breakpoint.address(), breakpoint.length()), breakpoint);
    }

    @Override
    public void removeBreakpoint(BreakpointKind kind, int process, long address, long length) {
        breakpoints.remove(new BreakpointPlace(kind, address, length));
    }

    @Override
    public byte[] auxv(int process) {
        return new byte[16];
    }

    @Override
    public String executable(int process) {
        return "/bin/tiny";
    }

    @Override
    public Optional<byte[]> siginfo(int thread) {
        if (current.reason() != Reason.SIGNAL) {
            return Optional.empty();
        }
        byte[] siginfo = new byte[128];
        siginfo[0] = SIGUSR1;
        return Optional.of(siginfo);
    }

    @Override
    public Optional<Path> file(String path) {
        return path.equals("/bin/tiny") ? Optional.of(program.executable) : Optional.empty();
    }

    @Override
    public void passSignals(Set<Integer> signals) {
        passed = signals;
    }

    @Override
    public boolean canCatchSyscalls() {
        return true;
    }

    @Override
    public void catchSyscalls(IntPredicate wanted) {
        caught = wanted == null ? number -> false : wanted;
    }

    @Override
    public String monitor(String command) {
        return switch (command) {
            case "fail" -> throw new IllegalStateException("the engine is out of order");
            case "where" -> "position " + position + " of " + steps.size() + "\n";
            default -> "unknown command\n";
        };
    }

    @Override
    public boolean writeMemory(int process, long address, byte[] bytes) {
        return memory.write(address, bytes);
    }

    @Override
    public boolean writeRegisters(int thread, ThreadRegisters registers) {
        changed.put(thread, registers.general().clone());
        return true;
    }

    @Override
    public void close() {}
}
