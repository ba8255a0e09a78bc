package dev.eremite.replay.record;

import dev.eremite.detcore.syscall.Errno;
import dev.eremite.detcore.syscall.FutexOperation;
import dev.eremite.detcore.syscall.Handling;
import dev.eremite.detcore.syscall.Output;
import dev.eremite.detcore.syscall.SyscallNumbers;
import dev.eremite.detcore.syscall.SyscallRow;
import dev.eremite.detcore.syscall.SyscallTable;
import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.replay.guest.TaskCallView;
import dev.eremite.replay.record.RecordedTask.Call;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.SeccompFilter;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.Tracee.Resume;
import dev.eremite.tracer.linux.TracerException;
import java.util.ArrayList;
import java.util.List;

/** Records system calls: what they return, and what they write into guest memory. */
final class CallRecorder {
    private static final int X32 = 0x40000000;

    private final Recorder recorder;
    private final SyscallTable table;
    private final MappingRecorder mappings;
    private final EmulatedCalls emulated;
    private final Streams streams;
    private final ScratchMemory scratch = new ScratchMemory();
    private final WaitingReads reads;
    private final MovedOutput moves;
    private final UnrestartedWaits waits;
    private final GuestFilters filters;

    CallRecorder(Recorder recorder, SyscallTable table) {
        this.recorder = recorder;
        this.table = table;
        mappings = new MappingRecorder(recorder.sink(), new SharedFiles(recorder.tracer()), recorder.traps());
        emulated = new EmulatedCalls(recorder.tracer());
        streams = new Streams(recorder.tracer());
        reads = new WaitingReads(recorder, scratch);
        filters = new GuestFilters(recorder);
        moves = new MovedOutput(recorder, streams, scratch);
        waits = new UnrestartedWaits(scratch);
    }

    /** A task has stopped at the entry of a call. */
    void entered(RecordedTask task) {
        Tracee tracee = task.tracee;
        int number = (int) tracee.register(Reg.ORIG_RAX);
        if (task.call != null && (task.call.interrupted || task.call.again)) {
            // The kernel restarts the call after a signal that had no handler, or the recorder has let it wait.
            task.call.interrupted = false;
            task.call.again = false;
            runInKernel(task);
            return;
        }
        TaskCallView view = new TaskCallView(tracee);
        SyscallRow row = number >= X32 || isForeign(tracee) ? null : table.find(number);
        Call call = new Call(task.tid, row, view, recorder.proof(task));
        if (recorder.signals().deliverBeforeCall(task, call)) {
            return;
        }
        task.call = call;
        recorder.listener().entered(call.caller, view);
        Long verdict = filters.judge(task);
        if (verdict != null) {
            answer(task, verdict, List.of());
        } else if (filters.handles(view)) {
            answer(task, filters.answer(task, view), List.of());
        } else if (row == null) {
            // As a kernel answers that does not know the number either.
            answer(task, -Errno.ENOSYS.number(), List.of());
        } else if (row.refusal(view).isPresent()) {
            answer(task, -row.refusal(view).get().errno(), List.of());
        } else if (MappingRecorder.refuses(tracee, view)) {
            answer(task, -Errno.ENODEV.number(), List.of());
        } else if (row.handling() == Handling.EMULATE
                || emulated.handles(view)
                || recorder.binding().handles(view)) {
            emulate(task);
        } else if (CallKinds.endsTask(number)) {
            complete(task, 0, List.of(), Effect.None.INSTANCE);
            task.call = null;
            tracee.resume(Resume.CONTINUE, 0);
        } else {
            recorder.births().prepareCall(task);
            runInKernel(task);
        }
    }

    /** Whether a call came by the 32-bit entry, which no 64-bit program needs; the 64-bit one leaves rip in rcx. */
    private static boolean isForeign(Tracee tracee) {
        return tracee.register(Reg.RCX) != tracee.register(Reg.RIP)
                && tracee.eventMessage() == SeccompFilter.FOREIGN_ABI;
    }

    /** Lets the kernel carry out the call at whose entry the task stands. */
    private void runInKernel(RecordedTask task) {
        if (moves.concerns(task, task.call.view)) {
            Long result = moves.enter(task);
            if (result != null) {
                answer(task, result, List.of());
                return;
            }
        } else if (reads.concerns(task) && reads.redirect(task) || waits.shorten(task)) {
            task.call.again = true;
        }
        if (!task.call.again) {
            task.tracee.resume(Resume.SYSCALL, 0);
        }
    }

    private void emulate(RecordedTask task) {
        TaskCallView view = task.call.view;
        List<MemoryWrite> writes = new ArrayList<>(1);
        Long result = recorder.binding().handles(view)
                ? recorder.binding().answer(task, view, writes)
                : emulated.answer(view, writes);
        if (result == null) {
            task.tracee.resume(Resume.SYSCALL, 0);
            return;
        }
        try {
            for (MemoryWrite write : writes) {
                task.tracee.memory().write(write.address(), write.bytes());
            }
        } catch (TracerException e) {
            answer(task, -Errno.EFAULT.number(), List.of());
            return;
        }
        answer(task, result, writes);
    }

    /** Ends the call at its entry without the kernel. */
    private void answer(RecordedTask task, long result, List<MemoryWrite> writes) {
        complete(task, result, writes, Effect.None.INSTANCE);
        task.tracee.setRegister(Reg.ORIG_RAX, -1);
        task.tracee.setRegister(Reg.RAX, result);
        recorder.resumeUser(task, 0);
    }

    /** A task has stopped at the exit of its call. */
    void returned(RecordedTask task) {
        Call call = task.call;
        if (call == null || call.complete) {
            recorder.resumeUser(task, 0);
            return;
        }
        long result = task.tracee.register(Reg.RAX);
        if (call.polling) {
            if (moves.waited(task, result)) {
                return;
            }
            result = task.tracee.register(Reg.RAX);
        }
        result = waits.result(task, result);
        call.view.result(result);
        if (isRestart(result) && call.view.number() != SyscallNumbers.RT_SIGRETURN) {
            call.interrupted = true;
            task.boundary = null;
            task.tracee.resume(Resume.CONTINUE, 0);
            return;
        }
        if (CallKinds.isExec(call.view.number()) && result == 0) {
            recorder.births().execReturned(task);
            return;
        }
        finish(task);
        if (call.view.number() == SyscallNumbers.SCHED_YIELD) {
            recorder.endTurn();
        }
        recorder.resumeUser(task, 0);
    }

    /** Logs the end of the task's call, whose result is set. */
    void finish(RecordedTask task) {
        Call call = task.call;
        reads.finish(task);
        restoreArguments(task);
        Effect effect = mappings.effect(task.tracee, call.row, call.view);
        if (call.view.number() == SyscallNumbers.SET_TID_ADDRESS) {
            task.clearChildTid = call.view.arg(0);
        } else if (call.view.number() == SyscallNumbers.SET_ROBUST_LIST) {
            task.robustList = call.view.arg(0);
        } else if (!call.view.failed()) {
            recorder.births().ids().note(call.view, 0);
        }
        List<MemoryWrite> writes = outputs(task.tracee, call);
        byte[] moved = moves.moved(task);
        if (moved != null) {
            writes.addFirst(new MemoryWrite(Event.OUTPUT, moved));
        }
        complete(task, call.view.result(), writes, effect);
        recorder.traps().settle(task);
    }

    /** Gives a task that is in a call, and is looked at there, the registers that the program has. */
    void restoreRegisters(RecordedTask task) {
        if (task.call != null && !task.call.complete) {
            reads.restoreRegisters(task);
            restoreArguments(task);
        }
    }

    private void restoreArguments(RecordedTask task) {
        Call call = task.call;
        if (call.replaced >= 0) {
            task.tracee.setRegister(Reg.argument(call.replaced), call.view.arg(call.replaced));
            call.replaced = -1;
        }
        moves.restoreRegisters(task);
    }

    /** The task's address space is another one, or is none any more. */
    void forgetMemory(RecordedTask task) {
        scratch.release(task);
    }

    /** Logs the end of a call with given results. */
    void complete(RecordedTask task, long result, List<MemoryWrite> writes, Effect effect) {
        Call call = task.call;
        int number = call.view.number();
        int stream = streams.of(task, call.view, result);
        if (call.entryLogged) {
            recorder.append(new Event.SyscallExit(call.caller, number, result, writes, stream, effect));
        } else {
            recorder.append(new Event.Syscall(
                    call.caller, call.proof, number, call.view.arguments(), result, writes, stream, effect));
        }
        streams.changed(call.view);
        call.complete = true;
        task.afterHandler = number == SyscallNumbers.RT_SIGRETURN;
        task.putOff &= task.afterHandler;
        call.view.result(result);
        recorder.listener().ended(call.caller, call.view);
    }

    /** What the kernel has written for a call that waits: the owner of a lock sees by it that somebody waits. */
    static List<MemoryWrite> waitingWrites(RecordedTask task) {
        TaskCallView view = task.call.view;
        if (view.number() != SyscallNumbers.FUTEX || !FutexOperation.waitsForLock(view.arg(1))) {
            return List.of();
        }
        byte[] word = task.tracee.memory().read(view.arg(0), 4);
        return word.length == 4 ? List.of(new MemoryWrite(view.arg(0), word)) : List.of();
    }

    private static List<MemoryWrite> outputs(Tracee tracee, Call call) {
        List<MemoryWrite> writes = new ArrayList<>(2);
        Output.Sink sink = (address, length) -> {
            if (address != 0 && length > 0) {
                byte[] bytes = tracee.memory().read(address, (int) Math.min(length, Integer.MAX_VALUE - 8));
                if (bytes.length > 0) {
                    writes.add(new MemoryWrite(address, bytes));
                }
            }
        };
        for (Output output : call.row.outputs()) {
            output.collect(call.view, sink);
        }
        return writes;
    }

    /** Whether the kernel is going to restart a call with this result (ERESTARTSYS … ERESTART_RESTARTBLOCK). */
    static boolean isRestart(long result) {
        return result <= -512 && result >= -516 && result != -515;
    }
}
