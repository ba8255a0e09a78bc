package dev.eremite.replay.timeline;

import dev.eremite.detcore.syscall.SignalNames;
import dev.eremite.replay.debug.DebugTarget.Breakpoint;
import dev.eremite.replay.debug.Stop.Reason;
import dev.eremite.replay.debug.ThreadRegisters;
import dev.eremite.replay.session.DivertedCalls;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.session.ReplayTask;
import dev.eremite.replay.timeline.DivertedRun.Halt;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Tracee;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * A copy of the program at one place of the recording, which a debugger may change and let run on: for calls of its functions,
 * {@code jump}, {@code return} and changed variables. Only one thread of it runs. The recording knows nothing of it.
 */
final class Diversion implements AutoCloseable {
    private static final int SIGTRAP = 5;

    private final ReplaySession copy;
    private final DebugScope scope;
    private final DivertedCalls calls;

    /** The registers of its threads when it began, from which a debugger's restoring is known. */
    private final Map<Integer, long[]> original = new HashMap<>();

    /** The registers of its threads at their last stops, from which a debugger's changes are known. */
    private final Map<Integer, long[]> stopped;

    /** Signals by which threads have stopped, which come again unless the debugger changes something. */
    private final Map<Integer, Integer> deadly = new HashMap<>();

    private boolean changed;
    private boolean ran;
    private String notice = "";

    private Diversion(ReplaySession copy, DebugScope scope) {
        this.copy = copy;
        this.scope = scope;
        calls = new DivertedCalls(copy, scope.output()::divert);
        copy.tasks().forEach((tid, task) -> original.put(tid, task.tracee().registers()));
        stopped = new HashMap<>(original);
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
        Set<String> missing = calls.takeMissing();
        String names = String.join(", ", missing);
        String text = missing.isEmpty() ? "" : "eremite: outside of the recording there is no " + names + ": ENOSYS\n";
        text += notice;
        notice = "";
        return text;
    }

    void write(int process, long address, byte[] bytes) {
        scope.anyTask(copy, process).tracee().memory().write(address, bytes);
        changed = true;
        deadly.clear();
    }

    void write(int thread, ThreadRegisters registers) {
        Tracee tracee = copy.tasks().get(thread).tracee();
        // A debugger restores what a call has changed, but not which parts of the area count as in use.
        changed |= !ran && !Arrays.equals(tracee.xsave(), registers.xsave());
        tracee.setXsave(registers.xsave());
        tracee.setRegisters(registers.general());
        tracee.orphanCall();
        deadly.clear();
    }

    /** The thread that is to go on somewhere else than the recording goes on; 0 when there is none. */
    int movedAway() {
        for (Map.Entry<Integer, ReplayTask> entry : copy.tasks().entrySet()) {
            if (!standsAt(entry.getValue(), original)) {
                return entry.getKey();
            }
        }
        return 0;
    }

    /** Whether a thread stands where some earlier registers of it say. */
    private static boolean standsAt(ReplayTask task, Map<Integer, long[]> earlier) {
        Tracee tracee = task.tracee();
        long[] before = earlier.get(task.tid());
        // A function that is called may stop at the very place from which it was called, with more on the stack.
        return tracee.register(Reg.RIP) == before[Reg.RIP] && tracee.register(Reg.RSP) == before[Reg.RSP];
    }

    /** Whether something has been changed and no code has run since that could have been meant to see it. */
    boolean changesUnused() {
        return changed
                || copy.tasks().values().stream()
                        .filter(task -> task.tracee().isStopped())
                        .anyMatch(task -> differs(task, stopped) && differs(task, original));
    }

    /** Whether a thread has other registers than earlier. */
    private static boolean differs(ReplayTask task, Map<Integer, long[]> earlier) {
        long[] now = task.tracee().registers();
        // Every change of registers takes the number of the call away.
        now[Reg.ORIG_RAX] = earlier.get(task.tid())[Reg.ORIG_RAX];
        return !Arrays.equals(now, earlier.get(task.tid()));
    }

    /** Lets one thread run, to a breakpoint or watchpoint, or for one instruction. */
    Halt run(int thread, boolean step, List<Breakpoint> breakpoints, BooleanSupplier interrupted) {
        if (deadly.containsKey(thread)) {
            return killed(deadly.get(thread));
        }
        ReplayTask task = copy.tasks().get(thread);
        ProcessPoints points = ProcessPoints.of(task.process().pid(), scope, breakpoints);
        DivertedRun run = new DivertedRun(copy, calls, task, points, step);
        // Where the debugger has sent the thread, nothing has been reported yet.
        Halt halt = standsAt(task, stopped) ? null : run.breakpointHere();
        if (halt == null) {
            halt = run.go(interrupted);
        }
        if (task.tracee().isStopped()) {
            stopped.put(thread, task.tracee().registers());
        }
        notice = run.notice();
        changed = false;
        ran = true;
        if (halt.reason() == Reason.SIGNAL && halt.signal() != SIGTRAP) {
            deadly.put(thread, halt.signal());
            return scope.wants(halt.signal()) ? halt : killed(halt.signal());
        }
        return halt;
    }

    private Halt killed(int signal) {
        String name = SignalNames.name(signal);
        notice += "eremite: " + name + " would end the program here, or run its handler, which a copy cannot\n";
        return Halt.of(Reason.INTERRUPTED);
    }

    @Override
    public void close() {
        copy.close();
    }
}
