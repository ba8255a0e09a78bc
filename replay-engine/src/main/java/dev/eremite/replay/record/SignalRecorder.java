package dev.eremite.replay.record;

import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.Event.Signal.Origin;
import dev.eremite.replay.event.Landmark;
import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.replay.event.RegisterProof;
import dev.eremite.replay.guest.SignalFrame;
import dev.eremite.replay.record.RecordedTask.Call;
import dev.eremite.replay.record.RecordedTask.State;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.Tracee.HeldSignal;
import dev.eremite.tracer.linux.Tracee.Resume;
import dev.eremite.tracer.linux.Tracer;
import dev.eremite.tracer.linux.WaitStatus;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Records signals. A signal that the code itself causes recurs in replay. Any other is delivered where replay can find the
 * place again: at a call boundary of its task, for which it is held back a little.
 */
final class SignalRecorder {
    private static final int SIGTRAP = 5;

    /** SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV and SIGSYS, as a mask of signals. */
    private static final long SYNCHRONOUS = 1 << 3 | 1 << 4 | 1 << 6 | 1 << 7 | 1 << 10 | 1 << 30;

    private static final int SI_TKILL = -6;
    private static final int SI_TIMER = -2;
    private static final int SI_KERNEL = 0x80;
    private static final int TIMERS_IN_ROW = 8;
    private static final int FIRST_QUEUED_SIGNAL = 32;
    private static final int RESTARTED = -512;
    private static final int SYSCALL_LENGTH = 2;
    private static final long DEFERRAL_NANOS = 3_000_000;

    private final Recorder recorder;
    private final int self = Tracer.ownPid();

    SignalRecorder(Recorder recorder) {
        this.recorder = recorder;
    }

    /** A stop that is no signal: a new task's first one, a group stop or its end (PTRACE_EVENT_STOP). */
    void eventStop(RecordedTask task, WaitStatus stop) {
        if (stop.groupStop()) {
            task.state = State.GROUP_STOPPED;
            task.tracee.resume(Resume.LISTEN, 0);
        } else if (task.call != null) {
            task.tracee.resume(task.call.interrupted || task.call.again ? Resume.CONTINUE : Resume.SYSCALL, 0);
        } else if (task.started) {
            // A late answer to PTRACE_INTERRUPT, or the end of a group stop: no boundary.
            resumeHolding(task);
        } else {
            recorder.resumeUser(task, 0);
        }
    }

    /** A signal is about to be delivered. */
    void signalStop(RecordedTask task, int signal) {
        byte[] siginfo = task.tracee.siginfo();
        int code = ByteBuffer.wrap(siginfo).order(ByteOrder.LITTLE_ENDIAN).getInt(8);
        if (isSynchronous(signal, code) && task.call == null) {
            if (recorder.traps().answer(task, signal)) {
                return;
            }
            deliver(task, signal, siginfo, Origin.SYNCHRONOUS, null);
            return;
        }
        if (task.resent != null && signal == task.resent.signal() && isOwn(siginfo, code)) {
            siginfo = task.resent.siginfo();
            task.tracee.setSiginfo(siginfo);
            task.resent = null;
        }
        boolean visible = Disposition.of(task.tid, signal) == Disposition.HANDLED
                || Disposition.of(task.tid, signal) == Disposition.DEADLY;
        boolean boundary = task.call == null && task.isAtBoundary();
        boolean inCall = task.call != null && !task.call.again;
        if (!visible || inCall || boundary && !isTimerInRow(task, code)) {
            deliver(task, signal, siginfo, Origin.ASYNCHRONOUS, boundary ? task.landmark : null);
            return;
        }
        holdBack(task, new HeldSignal(signal, siginfo));
        resumeHolding(task);
    }

    private void resumeHolding(RecordedTask task) {
        if (!task.deferred.isEmpty()) {
            quiet(task);
        }
        task.tracee.resume(Resume.CONTINUE, 0);
    }

    /**
     * Lets no signal reach a task, which is stopped inside its code, until it stops the next time: a timer may fire more
     * often than the task can be resumed. Those that the code itself causes reach it, for the kernel would kill it.
     */
    void quiet(RecordedTask task) {
        if (task.programMask == null) {
            task.programMask = task.tracee.signalMask();
            task.tracee.setSignalMask(task.programMask | ~SYNCHRONOUS);
        }
    }

    /** Ends what {@link #quiet} began: the task has stopped. */
    void listen(RecordedTask task, WaitStatus stop) {
        if (task.programMask != null && !stop.ended()) {
            listen(task);
        }
    }

    /** Ends what {@link #quiet} began. */
    void listen(RecordedTask task) {
        if (task.programMask != null) {
            task.tracee.setSignalMask(task.programMask);
            task.programMask = null;
        }
    }

    /**
     * Whether a timer must wait, since a handler costs more here than the timer's interval: the task would do nothing else
     * any more. Some may come in a row, because a place in the middle of code costs more again.
     */
    private static boolean isTimerInRow(RecordedTask task, int code) {
        if (!task.afterHandler || code != SI_TIMER && code != SI_KERNEL || ++task.timersInRow <= TIMERS_IN_ROW) {
            return false;
        }
        task.timersInRow = 0;
        return true;
    }

    /** Holds the signal of a stop back; false for a stop that is none, or that the code has caused itself. */
    boolean holdBack(RecordedTask task, WaitStatus stop) {
        if (!stop.signalStop()) {
            return false;
        }
        byte[] siginfo = task.tracee.siginfo();
        int code = ByteBuffer.wrap(siginfo).order(ByteOrder.LITTLE_ENDIAN).getInt(8);
        if (isSynchronous(stop.signal(), code)) {
            return false;
        }
        holdBack(task, new HeldSignal(stop.signal(), siginfo));
        return true;
    }

    /** Holds a signal back until the task is at a place where it can be delivered. */
    void holdBack(RecordedTask task, HeldSignal held) {
        boolean pending = task.deferred.stream().anyMatch(other -> other.signal() == held.signal());
        if (pending && held.signal() < FIRST_QUEUED_SIGNAL) {
            return; // Only real-time signals are queued (signal(7)).
        }
        if (task.deferred.isEmpty()) {
            task.deferredDeadline = System.nanoTime() + DEFERRAL_NANOS;
        }
        task.deferred.add(held);
    }

    private static boolean isSynchronous(int signal, int code) {
        return code > 0 && (SYNCHRONOUS >> (signal - 1) & 1) != 0;
    }

    /** Whether the recorder has sent a signal; from inside a PID namespace it has the id 0. */
    private boolean isOwn(byte[] siginfo, int code) {
        int sender = ByteBuffer.wrap(siginfo).order(ByteOrder.LITTLE_ENDIAN).getInt(16);
        return code == SI_TKILL && (sender == self || sender == 0);
    }

    /** Delivers a signal at the place where the task is. */
    private void deliver(RecordedTask task, int signal, byte[] siginfo, Origin origin, Landmark landmark) {
        Tracee tracee = task.tracee;
        switch (Disposition.of(task.tid, signal)) {
            case HANDLED -> runHandler(task, signal, siginfo, origin, landmark);
            case DEADLY -> {
                recorder.calls().restoreRegisters(task);
                recorder.logEntry(task);
                recorder.append(
                        new Event.Signal(task.tid, proofOf(task), signal, siginfo, origin, landmark, null, null));
                tracee.resume(Resume.CONTINUE, signal);
            }
            case INVISIBLE -> tracee.resume(Resume.CONTINUE, signal);
        }
    }

    private void runHandler(RecordedTask task, int signal, byte[] siginfo, Origin origin, Landmark landmark) {
        if (task.call != null && !task.call.complete) {
            recorder.calls().finish(task);
        }
        RegisterProof proof = proofOf(task);
        task.interruptedProof = null;
        task.call = null;
        task.tracee.resume(Resume.STEP, signal);
        WaitStatus stop = recorder.tracer().waitFor(task.tracee);
        boolean entered = stop.signalStop() && stop.signal() == SIGTRAP;
        if (!entered) {
            // The frame could not be written, or the task was killed meanwhile.
            task.boundary = null;
            task.pendingStop = stop;
            return;
        }
        MemoryWrite frame = SignalFrame.capture(task.tracee);
        recorder.append(
                new Event.Signal(task.tid, proof, signal, siginfo, origin, landmark, frame, task.tracee.registers()));
        recorder.resumeUser(task, 0);
    }

    private RegisterProof proofOf(RecordedTask task) {
        return task.interruptedProof != null ? task.interruptedProof : recorder.proof(task);
    }

    /** Sends a signal that was held back again, so that it arrives before the next instruction. */
    void raiseDeferred(RecordedTask task) {
        if (isDue(task)) {
            task.resent = task.deferred.poll();
            recorder.tracer().tgkill(task.process, task.tid, task.resent.signal());
        }
    }

    /**
     * Delivers a held-back signal just before a call, as if the call had been interrupted at once and were restarted: the
     * call might wait for that very signal. That is done once; where another signal has come meanwhile, the call begins
     * with that one pending.
     *
     * @return whether the call was put off
     */
    boolean deliverBeforeCall(RecordedTask task, Call call) {
        if (!isDue(task)) {
            return false;
        }
        if (task.putOff) {
            raiseDeferred(task);
            return false;
        }
        Tracee tracee = task.tracee;
        task.call = call;
        recorder.calls().complete(task, RESTARTED, List.of(), Effect.None.INSTANCE);
        task.putOff = true;
        task.interruptedProof = call.proof;
        tracee.setRegister(Reg.RAX, call.view.number());
        tracee.setRegister(Reg.RIP, tracee.register(Reg.RIP) - SYSCALL_LENGTH);
        tracee.orphanCall();
        recorder.resumeUser(task, 0);
        return true;
    }

    private static boolean blocked(RecordedTask task, int signal) {
        long mask = task.programMask != null ? task.programMask : task.tracee.signalMask();
        return (mask >> (signal - 1) & 1) != 0;
    }

    /** Whether a signal is held back that the task, which is stopped, can take now. */
    boolean isDue(RecordedTask task) {
        HeldSignal first = task.deferred.peek();
        return first != null && task.resent == null && !blocked(task, first.signal());
    }

    /** Lets the signals that are held back wait for another while. */
    void renewDeadline(RecordedTask task) {
        task.deferredDeadline = System.nanoTime() + DEFERRAL_NANOS;
    }

    /** Whether a signal has been held back for too long. */
    boolean isOverdue(RecordedTask task) {
        return !task.deferred.isEmpty() && task.resent == null && System.nanoTime() > task.deferredDeadline;
    }
}
