package dev.eremite.replay.session;

import dev.eremite.detcore.syscall.SyscallNumbers;
import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.replay.event.RegisterProof;
import dev.eremite.replay.event.RegisterValue;
import dev.eremite.replay.guest.Proofs;
import dev.eremite.tracer.linux.EnginePage;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Sys;
import dev.eremite.tracer.linux.TaskGoneException;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.Tracee.Resume;
import dev.eremite.tracer.linux.TracerException;
import dev.eremite.tracer.linux.WaitStatus;
import java.util.Arrays;
import java.util.List;

/** Carries out events: compares where the task is with where it was, and gives it what it got. */
final class EventApplier {
    private static final int ARCH_SET_GS = 0x1001;
    private static final int ARCH_SET_FS = 0x1002;
    private static final long CLONE_VM = 0x100;
    private static final long CLONE_THREAD = 0x10000;
    private static final long CLONE_SETTLS = 0x80000;
    private static final long CLONE_CHILD_SETTID = 0x1000000;
    /** CLONE_VM, CLONE_FS, CLONE_FILES, CLONE_SIGHAND, CLONE_THREAD, CLONE_SYSVSEM: what makes a thread. */
    private static final long THREAD_FLAGS = 0x100 | 0x200 | 0x400 | 0x800 | 0x10000 | 0x40000;
    /** The engine is the parent of all, so that it reaps all. */
    private static final long CLONE_PARENT = 0x8000;

    private static final int SIGCHLD = 17;

    private final ReplaySession session;
    private final ReplayOutput output;

    EventApplier(ReplaySession session, ReplayOutput output) {
        this.session = session;
        this.output = output;
    }

    /** Compares the call that a task has just entered with the next event. */
    void checkCall(ReplayTask task) {
        int number;
        long[] args;
        RegisterProof proof;
        switch (session.nextEvent()) {
            case Event.Syscall e -> {
                number = e.number();
                args = e.args();
                proof = e.proof();
            }
            case Event.SyscallEnter e -> {
                number = e.number();
                args = e.args();
                proof = e.proof();
            }
            default -> throw session.diverged(EventText.of(session.nextEvent()), actualCall(task));
        }
        long[] regs = task.tracee().registersView();
        boolean same = (int) regs[Reg.ORIG_RAX] == number;
        for (int i = 0; i < args.length; i++) {
            same &= regs[Reg.argument(i)] == args[i];
        }
        if (!same) {
            throw session.diverged(EventText.of(session.nextEvent()), actualCall(task));
        }
        checkProof(task, proof);
    }

    private static String actualCall(ReplayTask task) {
        Tracee tracee = task.tracee();
        long[] args = new long[6];
        for (int i = 0; i < 6; i++) {
            args[i] = tracee.register(Reg.argument(i));
        }
        return "task " + task.tid() + " " + EventText.name((int) tracee.register(Reg.ORIG_RAX))
                + EventText.arguments(args) + " at 0x" + Long.toHexString(tracee.register(Reg.RIP));
    }

    /** Compares a task's registers with a proof. */
    void checkProof(ReplayTask task, RegisterProof expected) {
        RegisterProof actual = Proofs.of(task.tracee().registersView());
        if (!actual.equals(expected)) {
            throw session.diverged(
                    EventText.of(session.nextEvent()) + " with " + text(expected), "registers with " + text(actual));
        }
    }

    private static String text(RegisterProof proof) {
        return String.format("rip 0x%x, rsp 0x%x, register hash %08x", proof.rip(), proof.rsp(), proof.hash());
    }

    /** Carries out an event whose task stands where it happens. */
    void apply(Event event) {
        ReplayTask task = session.tasks().get(event.task());
        if (task == null && !(event instanceof Event.Syscall first && first.effect() instanceof Effect.Exec)) {
            throw session.diverged(EventText.of(event), "no task " + event.task());
        }
        switch (event) {
            case Event.Syscall e ->
                endCall(task, e.task(), e.number(), e.args(), e.result(), e.writes(), e.stream(), e.effect());
            case Event.SyscallEnter e -> {
                task.inCall(true);
                write(task.tracee(), e.writes());
            }
            case Event.SyscallExit e -> {
                if (!task.inCall()) {
                    throw session.diverged(EventText.of(e), "a task that is in no call");
                }
                task.inCall(false);
                long[] args = new long[6];
                for (int i = 0; i < 6; i++) {
                    args[i] = task.tracee().register(Reg.argument(i));
                }
                endCall(task, e.task(), e.number(), args, e.result(), e.writes(), e.stream(), e.effect());
            }
            case Event.Instruction e -> instruction(task, e);
            case Event.ClockTrap e -> {
                if (e.processor() >= 0) {
                    session.tracer().stayOn(e.processor());
                }
                session.space().trapClock(session.tasks().values(), task.process());
            }
            case Event.Signal e -> signal(task, e);
            case Event.Preempt e -> checkProof(task, e.proof());
            case Event.TaskExit e -> taskExit(task, e);
        }
    }

    private void endCall(
            ReplayTask task,
            int tid,
            int number,
            long[] args,
            long result,
            List<MemoryWrite> writes,
            int stream,
            Effect effect) {
        if (effect instanceof Effect.Exec exec) {
            if (task != null) {
                // The kernel wrote to the old memory, which other processes may share.
                write(task.tracee(), writes);
            }
            exec(task, tid, exec.image());
            return;
        }
        Tracee tracee = task.tracee();
        if (stream != 0) {
            repeatOutput(tracee, number, args, result, writes, stream);
        }
        if (number == SyscallNumbers.RT_SIGRETURN) {
            sigreturn(task, result);
            return;
        }
        tracee.orphanCall();
        tracee.setRegister(Reg.RAX, result);
        write(tracee, writes);
        if (result >= 0) {
            ThreadNames.repeat(task, number, args, result, session.tasks());
        }
        switch (effect) {
            case Effect.None none -> {
                if (result == 0) {
                    threadPointer(tracee, number, args);
                    StackGrowth.repeat(task, number, args, session.tasks());
                }
            }
            case Effect.Native same -> {
                long actual = session.space().repeat(task, number, args, result);
                if (actual != result) {
                    throw session.diverged(
                            EventText.name(number) + EventText.arguments(args) + " = " + result,
                            "the result " + actual);
                }
            }
            case Effect.Map map ->
                session.space().map(task, map.mapping(), session.objects(), number == SyscallNumbers.SHMAT);
            case Effect.Store store -> session.objects().store(store);
            case Effect.Spawn spawn -> spawn(task, spawn);
            case Effect.Exec exec -> throw new IllegalStateException();
        }
    }

    private static void threadPointer(Tracee tracee, int number, long[] args) {
        if (number == SyscallNumbers.ARCH_PRCTL) {
            if (args[0] == ARCH_SET_FS) {
                tracee.setRegister(Reg.FS_BASE, args[1]);
            } else if (args[0] == ARCH_SET_GS) {
                tracee.setRegister(Reg.GS_BASE, args[1]);
            }
        }
    }

    private void write(Tracee tracee, List<MemoryWrite> writes) {
        for (MemoryWrite write : writes) {
            if (write.address() == Event.OUTPUT) {
                continue;
            }
            try {
                writeGrowing(tracee, write);
            } catch (TracerException e) {
                throw session.diverged("writable memory at 0x" + Long.toHexString(write.address()), "no memory there");
            }
        }
    }

    private static void writeGrowing(Tracee tracee, MemoryWrite write) {
        try {
            tracee.memory().write(write.address(), write.bytes());
        } catch (TracerException e) {
            // The kernel's own write made the stack grow.
            StackGrowth.reach(tracee, write.address());
            tracee.memory().write(write.address(), write.bytes());
        }
    }

    private void repeatOutput(
            Tracee tracee, int number, long[] args, long result, List<MemoryWrite> writes, int stream) {
        if (!writes.isEmpty() && writes.getFirst().address() == Event.OUTPUT) {
            output.write(stream, writes.getFirst().bytes());
            return;
        }
        if (number == SyscallNumbers.WRITE || number == SyscallNumbers.PWRITE64) {
            output.write(stream, tracee.memory().readFully(args[1], (int) result));
            return;
        }
        long left = result;
        for (long vector = args[1]; left > 0; vector += 16) {
            long length = Math.min(left, tracee.memory().readLong(vector + 8));
            output.write(stream, tracee.memory().readFully(tracee.memory().readLong(vector), (int) length));
            left -= length;
        }
    }

    /** Lets the kernel restore everything from the frame, whose bytes are the recorded ones. */
    private void sigreturn(ReplayTask task, long result) {
        Tracee tracee = task.tracee();
        tracee.setRegister(Reg.RAX, SyscallNumbers.RT_SIGRETURN);
        tracee.setRegister(Reg.RIP, EnginePage.SYSCALL);
        tracee.orphanCall();
        boolean entered = false;
        boolean left = false;
        while (!left) {
            tracee.resume(Resume.SYSCALL, 0);
            WaitStatus stop = session.tracer().waitFor(tracee);
            if (stop.ended()) {
                throw new TaskGoneException(tracee.tid());
            }
            // The exit of the emulated call may be reported first.
            left = entered && stop.syscallStop();
            entered |= stop.syscallStop() && tracee.register(Reg.ORIG_RAX) == SyscallNumbers.RT_SIGRETURN;
        }
        tracee.orphanCall();
        if (tracee.register(Reg.RAX) != result) {
            throw session.diverged("rax " + result + " after rt_sigreturn", "" + tracee.register(Reg.RAX));
        }
    }

    /**
     * Replaces a task's process by a new program.
     *
     * @param old the task that executes it, or null for the first program
     */
    private void exec(ReplayTask old, int tid, Effect.ExecImage image) {
        Tracee stub = session.tracer().spawn();
        ReplayProcess process;
        if (old == null) {
            process = new ReplayProcess(tid);
            session.tracer().gather();
        } else {
            process = old.process();
            for (ReplayTask other : List.copyOf(session.tasks().values())) {
                if (other.process() == process) {
                    session.tasks().remove(other.tid());
                    end(other, true);
                }
            }
        }
        session.space().load(stub, image);
        process.image(image);
        session.tasks()
                .put(process.pid(), new ReplayTask(process.pid(), process, stub, ThreadNames.ofProgram(stub, image)));
    }

    private void spawn(ReplayTask parent, Effect.Spawn spawn) {
        Tracee tracee = parent.tracee();
        boolean thread = (spawn.flags() & CLONE_THREAD) != 0;
        boolean sharesMemory = (spawn.flags() & CLONE_VM) != 0;
        long flags = thread ? spawn.flags() & THREAD_FLAGS : CLONE_PARENT | SIGCHLD | (sharesMemory ? CLONE_VM : 0);
        long realTid = tracee.inject(Sys.CLONE, flags, 0, 0, 0, 0);
        if (realTid < 0) {
            throw new TracerException("clone in replay", (int) -realTid);
        }
        Tracee child = session.tracer().tracee((int) realTid);
        session.tracer().waitFor(child);
        long[] regs = tracee.registers();
        regs[Reg.RAX] = 0;
        if (spawn.stack() != 0) {
            regs[Reg.RSP] = spawn.stack();
        }
        if ((spawn.flags() & CLONE_SETTLS) != 0) {
            regs[Reg.FS_BASE] = spawn.tls();
        }
        child.setRegisters(regs);
        child.orphanCall();
        ReplayProcess process = thread ? parent.process() : parent.process().copy(spawn.process());
        if (!thread) {
            process.borrowedMemory(sharesMemory);
        }
        session.tasks().put(spawn.child(), new ReplayTask(spawn.child(), process, child, parent.name()));
        if ((spawn.flags() & CLONE_CHILD_SETTID) != 0) {
            byte[] tid = new byte[4];
            AddressSpace.little(tid).putInt(spawn.ownTid());
            child.memory().write(spawn.childTid(), tid);
        }
    }

    private static void instruction(ReplayTask task, Event.Instruction e) {
        for (RegisterValue result : e.results()) {
            task.tracee().setRegister(result.register(), result.value());
        }
    }

    private void signal(ReplayTask task, Event.Signal e) {
        checkProof(task, e.proof());
        if (e.frame() == null) {
            return;
        }
        Tracee tracee = task.tracee();
        write(tracee, List.of(e.frame()));
        FloatingPoint.reset(tracee);
        tracee.setRegisters(Arrays.copyOf(e.registers(), Reg.COUNT));
        tracee.orphanCall();
    }

    private void taskExit(ReplayTask task, Event.TaskExit e) {
        session.tasks().remove(task.tid());
        boolean last = session.tasks().values().stream().noneMatch(other -> other.process() == task.process());
        // Through its own memory, which others may share even when its process ends.
        write(task.tracee(), e.writes());
        end(task, last);
    }

    private void end(ReplayTask task, boolean wholeProcess) {
        Tracee tracee = task.tracee();
        try {
            if (wholeProcess) {
                session.tracer().kill(tracee.tid(), 9);
            } else {
                tracee.setRegister(Reg.RIP, EnginePage.SYSCALL);
                tracee.setRegister(Reg.RAX, Sys.EXIT);
                tracee.setRegister(Reg.RDI, 0);
                tracee.orphanCall();
                tracee.resume(Resume.CONTINUE, 0);
            }
        } catch (TaskGoneException gone) {
            // It ended together with its process.
            session.tracer().forget(tracee);
            return;
        }
        session.tracer().awaitEnd(tracee);
    }
}
