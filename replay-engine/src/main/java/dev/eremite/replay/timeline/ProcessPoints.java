package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.Breakpoint;
import dev.eremite.replay.debug.DebugTarget.BreakpointKind;
import dev.eremite.replay.debug.DebugTarget.Condition;
import dev.eremite.replay.session.RepeatedString;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.session.ReplayTask;
import dev.eremite.tracer.linux.Tracee;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The breakpoints and watchpoints of one process while a run goes on, and what stands in the watched memory. */
final class ProcessPoints {
    private final int process;
    private final DebugScope scope;
    private final Map<Long, List<Breakpoint>> code = new HashMap<>();
    private final List<Breakpoint> watches = new ArrayList<>();
    private final Map<Breakpoint, byte[]> values = new HashMap<>();
    private final WatchRegisters registers;
    private final HotConditions hot = new HotConditions(code);

    private ProcessPoints(int process, DebugScope scope, List<Breakpoint> breakpoints) {
        this.process = process;
        this.scope = scope;
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

    /** Those of a process out of all. */
    static ProcessPoints of(int process, DebugScope scope, List<Breakpoint> all) {
        List<Breakpoint> own = scope.sees(process)
                ? all.stream().filter(point -> point.process() == process).toList()
                : List.of();
        return new ProcessPoints(process, scope, own);
    }

    int process() {
        return process;
    }

    Map<Long, List<Breakpoint>> code() {
        return code;
    }

    HotConditions hot() {
        return hot;
    }

    boolean watching() {
        return !watches.isEmpty();
    }

    /** Whether its watchpoints fit into the processor's registers, so that code need not be stepped. */
    boolean inRegisters() {
        return registers != null;
    }

    /** Whether any watchpoint is in the processor's registers. */
    boolean usesRegisters() {
        return registers != null && !registers.isEmpty();
    }

    void arm(ReplayTask task) {
        registers.arm(task.tracee());
    }

    /** Remembers what stands in the watched memory now. */
    void readValues(ReplaySession session) {
        watches.forEach(watch -> value(watch, session).ifPresent(value -> values.put(watch, value)));
    }

    /** What stands there; nothing while the process does not exist, and fewer bytes where no memory is mapped. */
    private Optional<byte[]> value(Breakpoint watch, ReplaySession session) {
        return Optional.ofNullable(scope.anyTask(session, process))
                .map(any -> any.tracee().memory().read(watch.address(), (int) watch.length()));
    }

    private boolean changed(Breakpoint watch, ReplaySession session) {
        Optional<byte[]> now = value(watch, session);
        byte[] before = now.isPresent() ? values.put(watch, now.get()) : null;
        return before != null && !Arrays.equals(now.get(), before);
    }

    /** Whether any of the watched memory lies in a range. */
    boolean touches(long address, long length) {
        return watches.stream()
                .anyMatch(watch -> address < watch.address() + watch.length() && watch.address() < address + length);
    }

    /** The breakpoint at an address whose condition holds, or null. */
    Breakpoint breakpointAt(long pc, ReplaySession session, ReplayTask task) {
        for (Breakpoint breakpoint : code.getOrDefault(pc, List.of())) {
            if (holds(breakpoint, session, task)) {
                return breakpoint;
            }
        }
        return null;
    }

    private boolean holds(Breakpoint breakpoint, ReplaySession session, ReplayTask task) {
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

    /** A watchpoint whose memory an instruction that was stepped has changed, or null. */
    Breakpoint changedWatch(ReplaySession session, ReplayTask task) {
        return choose(watches, watch -> changed(watch, session), session, task);
    }

    /** A watchpoint for writes whose memory somebody else has changed, or null. */
    Breakpoint writtenWatch(ReplaySession session, ReplayTask task) {
        return choose(watches, watch -> watch.kind() != BreakpointKind.READ && changed(watch, session), session, task);
    }

    /** Whether a watchpoint may have stopped a task in the midst of a repeated string instruction. */
    boolean stoppedInString(Tracee tracee) {
        return watches.stream()
                .anyMatch(watch -> RepeatedString.mayHaveTouched(tracee, watch.address(), watch.length()));
    }

    /** The watchpoint that the processor reports for a task, or null. */
    Breakpoint reportedWatch(ReplaySession session, ReplayTask task) {
        return choose(registers.hits(task.tracee()), watch -> wanted(watch, changed(watch, session)), session, task);
    }

    private static boolean wanted(Breakpoint watch, boolean changed) {
        return switch (watch.kind()) {
            case WRITE -> changed;
            case READ -> !changed;
            default -> true;
        };
    }

    private Breakpoint choose(
            List<Breakpoint> from, Predicate<Breakpoint> hit, ReplaySession session, ReplayTask task) {
        List<Breakpoint> found = from.stream()
                .filter(hit)
                .filter(watch -> holds(watch, session, task))
                .toList();
        return WatchChoice.of(found).orElse(null);
    }
}
