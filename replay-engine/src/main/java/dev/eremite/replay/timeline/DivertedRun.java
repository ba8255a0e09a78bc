package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.Breakpoint;
import dev.eremite.replay.debug.Stop.Reason;
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
import java.util.function.BooleanSupplier;

/** One move of one thread in a copy of the program: to a breakpoint or watchpoint, or by one instruction. */
final class DivertedRun {
    private static final int SIGTRAP = 5;
    private static final int TRAP_TRACE = 2;
    private static final int TRAP_HWBKPT = 4;
    private static final long SLICE_NANOS = 50_000_000;

    private final ReplaySession copy;
    private final DivertedCalls calls;
    private final ReplayTask task;
    private final ProcessPoints points;
    private final boolean step;
    private final CodeTraps traps = new CodeTraps();

    /** Whether the breakpoint at the present pc has been reported, or its condition does not hold. */
    private boolean passed = true;

    private String notice = "";

    /** Why it stopped; the signal for SIGNAL, the watched address for a watchpoint, else 0. */
    record Halt(Reason reason, int signal, long address) {
        static Halt of(Reason reason) {
            return new Halt(reason, 0, 0);
        }
    }

    DivertedRun(ReplaySession copy, DivertedCalls calls, ReplayTask task, ProcessPoints points, boolean step) {
        this.copy = copy;
        this.calls = calls;
        this.task = task;
        this.points = points;
        this.step = step;
    }

    /** What the user should know of it; empty when nothing. */
    String notice() {
        return notice;
    }

    Halt go(BooleanSupplier interrupted) {
        points.readValues(copy);
        try {
            if (points.usesRegisters()) {
                points.arm(task);
            }
            Halt halt = null;
            while (halt == null && !interrupted.getAsBoolean()) {
                halt = advance();
            }
            if (points.usesRegisters()) {
                WatchRegisters.disarm(task.tracee());
            }
            return halt != null ? halt : Halt.of(Reason.INTERRUPTED);
        } catch (TaskGoneException e) {
            return end("the copy of the program has been killed");
        }
    }

    private Halt end(String why) {
        notice = "eremite: " + why + "\n";
        return Halt.of(Reason.INTERRUPTED);
    }

    /** One run to the next stop of any kind; null when it is none for the user. */
    private Halt advance() {
        Tracee tracee = task.tracee();
        boolean standing = passed && points.code().containsKey(tracee.register(Reg.RIP));
        boolean single = step || standing || points.watching() && !points.inRegisters();
        passed = false;
        if (!single) {
            traps.set(tracee, points.code().keySet());
        }
        tracee.resume(single ? Resume.EMULATE_STEP : Resume.EMULATE, 0);
        WaitStatus stop = copy.tracer().waitFor(tracee, SLICE_NANOS);
        if (stop == null) {
            tracee.interrupt();
            stop = copy.tracer().waitFor(tracee);
        }
        if (stop.ended() || stop.event() == WaitStatus.EVENT_EXIT) {
            throw new TaskGoneException(tracee.tid());
        }
        Halt halt = null;
        if (stop.syscallStop()) {
            halt = afterCall();
        } else if (stop.signalStop()) {
            halt = afterSignal(stop.signal(), single, standing);
        }
        traps.removeAll(tracee);
        return halt;
    }

    private Halt afterCall() {
        return switch (calls.answer(task)) {
            case ANSWERED -> {
                Breakpoint written = points.writtenWatch(copy, task);
                yield written != null ? hit(written) : arrived();
            }
            case WAITS -> end("the program would wait here for what only the recording can bring");
            case ENDS -> end("the program would end here");
        };
    }

    private Halt afterSignal(int signal, boolean single, boolean standing) {
        Tracee tracee = task.tracee();
        int siCode =
                ByteBuffer.wrap(tracee.siginfo()).order(ByteOrder.LITTLE_ENDIAN).getInt(8);
        if (siCode <= 0) {
            return null;
        }
        if (calls.answerInstruction(task, signal)) {
            return arrived();
        }
        if (signal != SIGTRAP) {
            // No trap stands where no code is, as on the stack, to which debuggers let calls return.
            Halt here = standing ? null : breakpointHere();
            return here != null ? here : new Halt(Reason.SIGNAL, signal, 0);
        }
        Breakpoint watch = points.inRegisters() ? points.reportedWatch(copy, task) : points.changedWatch(copy, task);
        if (watch != null) {
            return hit(watch);
        }
        if (single && siCode == TRAP_TRACE || siCode == TRAP_HWBKPT) {
            return arrived();
        }
        long pc = tracee.register(Reg.RIP) - 1;
        if (!traps.contains(pc)) {
            return new Halt(Reason.SIGNAL, SIGTRAP, 0);
        }
        tracee.setRegister(Reg.RIP, pc);
        return breakpointHere();
    }

    /** Behind an instruction; null when the run goes on. */
    private Halt arrived() {
        Halt halt = breakpointHere();
        return halt == null && step ? Halt.of(Reason.STEP) : halt;
    }

    /** The breakpoint at the present pc whose condition holds; null when there is none. */
    Halt breakpointHere() {
        passed = true;
        Breakpoint breakpoint = points.breakpointAt(task.tracee().register(Reg.RIP), copy, task);
        return breakpoint == null ? null : hit(breakpoint);
    }

    private static Halt hit(Breakpoint hit) {
        return new Halt(Stops.reason(hit), 0, Stops.address(hit));
    }
}
