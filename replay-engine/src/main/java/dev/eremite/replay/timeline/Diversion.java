package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.Breakpoint;
import dev.eremite.replay.debug.DebugTarget.BreakpointKind;
import dev.eremite.replay.debug.Stop.Reason;
import dev.eremite.replay.debug.ThreadRegisters;
import dev.eremite.replay.session.DivertedCalls;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.session.ReplayTask;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.TaskGoneException;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.Tracee.Resume;
import dev.eremite.tracer.linux.WaitStatus;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A copy of the program at one place of the recording, which a debugger may change and let run on: for calls of its functions,
 * {@code jump}, {@code return} and changed variables. Only one thread of it runs. The recording knows nothing of it.
 */
final class Diversion implements AutoCloseable {
    private static final int SIGTRAP = 5;
    private static final int TRAP_TRACE = 2;
    private static final long SLICE_NANOS = 50_000_000;

    private final ReplaySession copy;
    private final DebugScope scope;
    private final DivertedCalls calls;

    /** The registers of its threads when it began, from which a debugger's restoring is known. */
    private final Map<Integer, long[]> original = new HashMap<>();

    private boolean changed;
    private String notice = "";

    /** Why it stopped; the signal for SIGNAL, and the watched address never. */
    record Halt(Reason reason, int signal) {}

    private Diversion(ReplaySession copy, DebugScope scope) {
        this.copy = copy;
        this.scope = scope;
        calls = new DivertedCalls(copy, scope.output()::divert);
        copy.tasks().forEach((tid, task) -> original.put(tid, task.tracee().registers()));
    }

    /** A copy of a session; empty where none can be made (while a vfork(2) goes on). */
    static Optional<Diversion> of(ReplaySession session, DebugScope scope) {
        return History.freeze(session, 0).map(snapshot -> {
            try {
                return new Diversion(snapshot.frozen().thaw(session), scope);
            } finally {
                snapshot.drop();
            }
        });
    }

    /** The copy, to be looked at. */
    ReplaySession session() {
        return copy;
    }

    /** What the user should know of the last run; once. */
    String takeNotice() {
        String text = notice;
        notice = "";
        return text;
    }

    void write(int process, long address, byte[] bytes) {
        scope.anyTask(copy, process).tracee().memory().write(address, bytes);
        changed = true;
    }

    void write(int thread, ThreadRegisters registers) {
        Tracee tracee = copy.tasks().get(thread).tracee();
        tracee.setXsave(registers.xsave());
        tracee.setRegisters(registers.general());
        tracee.orphanCall();
    }

    /** The thread that is to go on somewhere else than the recording goes on; 0 when there is none. */
    int movedAway() {
        for (Map.Entry<Integer, ReplayTask> entry : copy.tasks().entrySet()) {
            Tracee tracee = entry.getValue().tracee();
            long[] before = original.get(entry.getKey());
            // A function that is called may stop at the very place from which it was called, with more on the stack.
            if (tracee.register(Reg.RIP) != before[Reg.RIP] || tracee.register(Reg.RSP) != before[Reg.RSP]) {
                return entry.getKey();
            }
        }
        return 0;
    }

    /** Whether memory has been changed and no code has run since that could have been meant to see it. */
    boolean changesUnused() {
        return changed;
    }

    /** Lets one thread run, to a breakpoint, or for one instruction. */
    Halt run(int thread, boolean step, List<Breakpoint> breakpoints, BooleanSupplier interrupted) {
        ReplayTask task = copy.tasks().get(thread);
        Map<Long, List<Breakpoint>> code = new HashMap<>();
        for (Breakpoint breakpoint : breakpoints) {
            boolean own = breakpoint.process() == task.process().pid();
            boolean isCode =
                    breakpoint.kind() == BreakpointKind.SOFTWARE || breakpoint.kind() == BreakpointKind.HARDWARE;
            if (own && isCode) {
                code.computeIfAbsent(breakpoint.address(), a -> new ArrayList<>())
                        .add(breakpoint);
            }
        }
        CodeTraps traps = new CodeTraps();
        try {
            while (!interrupted.getAsBoolean()) {
                // A breakpoint at the present pc has been reported, or its condition does not hold.
                boolean single = step || code.containsKey(task.tracee().register(Reg.RIP));
                if (!single) {
                    traps.set(task.tracee(), code.keySet());
                }
                Halt halt = advance(task, single, step, code, traps);
                traps.removeAll(task.tracee());
                changed = false;
                if (halt != null) {
                    return halt;
                }
            }
            return new Halt(Reason.INTERRUPTED, 0);
        } catch (TaskGoneException e) {
            notice = "eremite: the copy of the program has been killed\n";
            return new Halt(Reason.INTERRUPTED, 0);
        }
    }

    /** One run to the next stop of any kind; null when it is none for the user. */
    private Halt advance(
            ReplayTask task, boolean single, boolean step, Map<Long, List<Breakpoint>> code, CodeTraps traps) {
        Tracee tracee = task.tracee();
        tracee.resume(single ? Resume.EMULATE_STEP : Resume.EMULATE, 0);
        WaitStatus stop = copy.tracer().waitFor(tracee, SLICE_NANOS);
        if (stop == null) {
            tracee.interrupt();
            stop = copy.tracer().waitFor(tracee);
        }
        if (stop.ended() || stop.event() == WaitStatus.EVENT_EXIT) {
            throw new TaskGoneException(tracee.tid());
        }
        if (stop.syscallStop()) {
            return afterCall(task, step, code);
        }
        return stop.signalStop() ? afterSignal(task, stop.signal(), single, step, code, traps) : null;
    }

    private Halt afterCall(ReplayTask task, boolean step, Map<Long, List<Breakpoint>> code) {
        DivertedCalls.Result result = calls.answer(task);
        if (!calls.missing().isEmpty()) {
            notice = "eremite: outside of the recording there is no " + String.join(", ", calls.missing())
                    + ": ENOSYS\n";
        }
        return switch (result) {
            case ANSWERED ->
                step ? new Halt(Reason.STEP, 0) : hitAt(task.tracee().register(Reg.RIP), task, code);
            case WAITS -> {
                notice = "eremite: the program would wait here for what only the recording can bring\n";
                yield new Halt(Reason.INTERRUPTED, 0);
            }
            case ENDS -> {
                notice = "eremite: the program would end here\n";
                yield new Halt(Reason.INTERRUPTED, 0);
            }
        };
    }

    private Halt afterSignal(
            ReplayTask task,
            int signal,
            boolean single,
            boolean step,
            Map<Long, List<Breakpoint>> code,
            CodeTraps traps) {
        Tracee tracee = task.tracee();
        int siCode =
                ByteBuffer.wrap(tracee.siginfo()).order(ByteOrder.LITTLE_ENDIAN).getInt(8);
        if (siCode <= 0) {
            return null;
        }
        if (calls.answerInstruction(task, signal)) {
            return step ? new Halt(Reason.STEP, 0) : null;
        }
        if (signal != SIGTRAP) {
            return new Halt(Reason.SIGNAL, signal);
        }
        if (single && siCode == TRAP_TRACE) {
            return step ? new Halt(Reason.STEP, 0) : hitAt(tracee.register(Reg.RIP), task, code);
        }
        long pc = tracee.register(Reg.RIP) - 1;
        if (!traps.contains(pc)) {
            return new Halt(Reason.SIGNAL, SIGTRAP);
        }
        tracee.setRegister(Reg.RIP, pc);
        return hitAt(pc, task, code);
    }

    private Halt hitAt(long pc, ReplayTask task, Map<Long, List<Breakpoint>> code) {
        for (Breakpoint breakpoint : code.getOrDefault(pc, List.of())) {
            boolean holds = breakpoint.conditions().isEmpty()
                    || breakpoint.conditions().stream().anyMatch(c -> scope.evaluate(c, copy, task));
            if (holds) {
                return new Halt(Reason.BREAKPOINT, 0);
            }
        }
        return null;
    }

    @Override
    public void close() {
        copy.close();
    }
}
