package dev.eremite.tracer.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One traced task. Its registers and memory may be used only while it is stopped; the registers are read on first use
 * and written back when it resumes.
 */
public final class Tracee {
    private static final int MAX_QUESTIONS = 1000;

    /** How to resume a task (ptrace(2)). */
    public enum Resume {
        /** To the next event or signal. */
        CONTINUE(Ptrace.CONT),
        /** To the next system-call entry or exit. */
        SYSCALL(Ptrace.SYSCALL),
        /** To the next system-call entry, which is skipped. */
        EMULATE(Ptrace.SYSEMU),
        /** For one instruction. */
        STEP(Ptrace.SINGLESTEP),
        /** For one instruction; a system call is skipped. */
        EMULATE_STEP(Ptrace.SYSEMU_SINGLESTEP),
        /** Stay in the group stop but report what comes. */
        LISTEN(Ptrace.LISTEN);

        final int request;

        Resume(int request) {
            this.request = request;
        }
    }

    /** A signal that arrived while the engine used the task for something of its own. */
    public record HeldSignal(int signal, byte[] siginfo) {}

    private static final int SIGTRAP = 5;
    private static final int EFAULT = 14;
    private static final int SIGINFO_LENGTH = 128;

    private static final int SI_CODE = 8;

    /** No value that a kernel puts into orig_rax, with the lower half of −1. */
    private static final long UNMOVED = 0x4552_454d_ffff_ffffL;

    private final Tracer tracer;
    private final int tid;
    private final GuestMemory memory;
    private final long[] registers = new long[Reg.COUNT];
    private final Deque<HeldSignal> held = new ArrayDeque<>();
    private boolean registersRead;
    private boolean registersChanged;
    private boolean stopped;
    private WaitStatus status;

    Tracee(Tracer tracer, int tid) {
        this.tracer = tracer;
        this.tid = tid;
        memory = new GuestMemory(tracer, tid);
    }

    /** The kernel's id of this task. */
    public int tid() {
        return tid;
    }

    /** The tracer it belongs to. */
    public Tracer tracer() {
        return tracer;
    }

    /** Its memory. */
    public GuestMemory memory() {
        return memory;
    }

    /** Whether it is stopped. */
    public boolean isStopped() {
        return stopped;
    }

    /** The status of its last stop. */
    public WaitStatus status() {
        return status;
    }

    void stopped(WaitStatus newStatus) {
        status = newStatus;
        stopped = !newStatus.ended();
        registersRead = false;
        registersChanged = false;
    }

    /** Signals held back by {@link #inject}, oldest first; the caller takes them. */
    public Deque<HeldSignal> heldSignals() {
        return held;
    }

    /** Register by index of {@link Reg}. */
    public long register(int index) {
        readRegisters();
        return registers[index];
    }

    /** Sets a register; it takes effect when the task resumes. */
    public void setRegister(int index, long value) {
        readRegisters();
        if (registers[index] != value) {
            registers[index] = value;
            registersChanged = true;
        }
    }

    /** A copy of all registers. */
    public long[] registers() {
        readRegisters();
        return registers.clone();
    }

    /** The registers themselves, not to be changed, valid until the task resumes. */
    public long[] registersView() {
        readRegisters();
        return registers;
    }

    /** Sets all registers. */
    public void setRegisters(long[] values) {
        checkStopped();
        System.arraycopy(values, 0, registers, 0, Reg.COUNT);
        registersRead = true;
        registersChanged = true;
    }

    private void readRegisters() {
        if (!registersRead) {
            checkStopped();
            tracer.ptrace(Ptrace.GETREGS, tid, 0, tracer.registers.address());
            MemorySegment.copy(tracer.registers, JAVA_LONG, 0, registers, 0, Reg.COUNT);
            registersRead = true;
        }
    }

    /** Writes changed registers to the task now. */
    public void flushRegisters() {
        if (registersChanged) {
            MemorySegment.copy(registers, 0, tracer.registers, JAVA_LONG, 0, Reg.COUNT);
            tracer.ptrace(Ptrace.SETREGS, tid, 0, tracer.registers.address());
            registersChanged = false;
        }
    }

    /** Resumes the task, delivering a signal if it is not 0. */
    public void resume(Resume how, int signal) {
        checkStopped();
        flushRegisters();
        stopped = false;
        registersRead = false;
        tracer.resuming(tid);
        tracer.ptrace(how.request, tid, 0, signal);
    }

    /** Asks a running task to stop (PTRACE_INTERRUPT); the stop comes by a wait. */
    public void interrupt() {
        Libc.ptrace(tracer.capture, Ptrace.INTERRUPT, tid, 0, 0);
    }

    /** The message of the last ptrace event: a child's id, an exit status. */
    public long eventMessage() {
        tracer.ptrace(Ptrace.GETEVENTMSG, tid, 0, tracer.scratch.address());
        return tracer.scratch.get(JAVA_LONG, 0);
    }

    /** The siginfo_t (128 bytes) of the present signal stop. */
    public byte[] siginfo() {
        tracer.ptrace(Ptrace.GETSIGINFO, tid, 0, tracer.transfer.address());
        return tracer.transfer.asSlice(0, SIGINFO_LENGTH).toArray(JAVA_BYTE);
    }

    /** Replaces the siginfo_t of the present signal stop. */
    public void setSiginfo(byte[] siginfo) {
        MemorySegment.copy(siginfo, 0, tracer.transfer, JAVA_BYTE, 0, SIGINFO_LENGTH);
        tracer.ptrace(Ptrace.SETSIGINFO, tid, 0, tracer.transfer.address());
    }

    /**
     * Whether a trap or fault of the task's own code has not been reported yet (PTRACE_PEEKSIGINFO): a request to stop comes
     * first. Until it is reported no call may be injected, and the place is not one where the task stands for itself.
     */
    public boolean faultPending() {
        int most = 8;
        tracer.scratch.set(JAVA_LONG, 0, 0);
        tracer.scratch.set(JAVA_LONG, 8, (long) most << 32);
        long count = tracer.ptrace(Ptrace.PEEKSIGINFO, tid, tracer.scratch.address(), tracer.transfer.address());
        for (int i = 0; i < count; i++) {
            int signal = tracer.transfer.get(JAVA_INT, (long) i * SIGINFO_LENGTH);
            if (signal == SIGTRAP
                    || faults(signal, tracer.transfer.get(JAVA_INT, (long) i * SIGINFO_LENGTH + SI_CODE))) {
                return true;
            }
        }
        return false;
    }

    /** The mask of blocked signals; bit n−1 stands for signal n. */
    public long signalMask() {
        tracer.ptrace(Ptrace.GETSIGMASK, tid, 8, tracer.scratch.address());
        return tracer.scratch.get(JAVA_LONG, 0);
    }

    /** Sets the mask of blocked signals. */
    public void setSignalMask(long mask) {
        tracer.scratch.set(JAVA_LONG, 0, mask);
        tracer.ptrace(Ptrace.SETSIGMASK, tid, 8, tracer.scratch.address());
    }

    /** The XSAVE area in standard format (NT_X86_XSTATE). */
    public byte[] xsave() {
        int ntX86Xstate = 0x202;
        tracer.iovecs.set(JAVA_LONG, 0, tracer.transfer.address());
        tracer.iovecs.set(JAVA_LONG, 8, 16384);
        tracer.ptrace(Ptrace.GETREGSET, tid, ntX86Xstate, tracer.iovecs.address());
        return tracer.transfer.asSlice(0, tracer.iovecs.get(JAVA_LONG, 8)).toArray(JAVA_BYTE);
    }

    /** Sets the XSAVE area. */
    public void setXsave(byte[] area) {
        int ntX86Xstate = 0x202;
        MemorySegment.copy(area, 0, tracer.transfer, JAVA_BYTE, 0, area.length);
        tracer.iovecs.set(JAVA_LONG, 0, tracer.transfer.address());
        tracer.iovecs.set(JAVA_LONG, 8, area.length);
        tracer.ptrace(Ptrace.SETREGSET, tid, ntX86Xstate, tracer.iovecs.address());
    }

    /** Debug register 0…7. */
    public long debugRegister(int index) {
        tracer.scratch.set(JAVA_LONG, 0, 0);
        return tracer.ptrace(Ptrace.PEEKUSER, tid, Debug.OFFSET + 8L * index, tracer.scratch.address());
    }

    /** Sets debug register 0…7. Throws TracerException when the kernel refuses the value. */
    public void setDebugRegister(int index, long value) {
        tracer.ptrace(Ptrace.POKEUSER, tid, Debug.OFFSET + 8L * index, value);
    }

    /** Makes the kernel forget the interrupted call, so that it is not restarted when registers change. */
    public void orphanCall() {
        setRegister(Reg.ORIG_RAX, -1);
    }

    /**
     * Leaves a mark in orig_rax, unless the number of a call stands there: both are gone as soon as the task has run an
     * instruction and is back in the kernel, which sets −1 then. The kernel takes the mark for −1, of which it reads the
     * lower half only (syscall_get_nr), so that no call is restarted.
     */
    public void markUnmoved() {
        if ((int) register(Reg.ORIG_RAX) == -1) {
            setRegister(Reg.ORIG_RAX, UNMOVED);
        }
    }

    /**
     * Runs a system call in the stopped task and restores its registers. The engine page must be mapped, unless the call is
     * made where {@code gadget} points to. Signals that arrive meanwhile are held back.
     *
     * @return rax: the result, or a negative errno
     */
    public long inject(int number, long... arguments) {
        return injectAt(EnginePage.SYSCALL, number, arguments);
    }

    /** As {@link #inject}, with the address of another {@code syscall; int3}. */
    public long injectAt(long gadget, int number, long... arguments) {
        long[] saved = registers();
        long[] call = saved.clone();
        call[Reg.RIP] = gadget;
        call[Reg.RAX] = number;
        call[Reg.ORIG_RAX] = -1;
        call[Reg.EFLAGS] &= ~0x100L;
        for (int i = 0; i < arguments.length; i++) {
            call[Reg.argument(i)] = arguments[i];
        }
        setRegisters(call);
        runToTrap(gadget + 3);
        long result = register(Reg.RAX);
        saved[Reg.ORIG_RAX] = -1;
        setRegisters(saved);
        return result;
    }

    /**
     * Maps the engine's data pages in a task that has only its code page.
     *
     * @throws TracerException when the kernel does not (mmap(2))
     */
    public void mapEngineData() {
        int readWrite = 3;
        int fixedPrivateAnonymous = 0x32;
        long result =
                inject(Sys.MMAP, EnginePage.DATA, EnginePage.DATA_LENGTH, readWrite, fixedPrivateAnonymous, -1, 0);
        if (result != EnginePage.DATA) {
            throw new TracerException("mapping the engine's data pages", (int) -result);
        }
    }

    /**
     * Asks the processor about itself, in a task whose CPUID does not fault and that has the engine's data pages, of
     * which the first is overwritten. All is asked in one go: a stop for each would take longer than a small program.
     *
     * @param questions a leaf in the upper half and a subleaf in the lower, at most {@value #MAX_QUESTIONS}
     * @return eax, ebx, ecx and edx of each
     */
    public int[][] cpuid(long... questions) {
        if (questions.length == 0 || questions.length > MAX_QUESTIONS) {
            throw new IllegalArgumentException(questions.length + " questions");
        }
        long answers = EnginePage.DATA + 8L * questions.length;
        ByteBuffer asked = ByteBuffer.allocate(8 * questions.length).order(ByteOrder.LITTLE_ENDIAN);
        for (long question : questions) {
            asked.putInt((int) (question >>> 32)).putInt((int) question);
        }
        memory().write(EnginePage.DATA, asked.array());
        long[] saved = registers();
        long[] call = saved.clone();
        call[Reg.RIP] = EnginePage.CPUID_QUESTIONS;
        call[Reg.RSI] = EnginePage.DATA;
        call[Reg.RDI] = answers;
        call[Reg.R8] = questions.length;
        call[Reg.ORIG_RAX] = -1;
        setRegisters(call);
        runToTrap(EnginePage.CPUID_QUESTIONS_END);
        saved[Reg.ORIG_RAX] = -1;
        setRegisters(saved);
        ByteBuffer answered =
                ByteBuffer.wrap(memory().read(answers, 16 * questions.length)).order(ByteOrder.LITTLE_ENDIAN);
        int[][] results = new int[questions.length][4];
        for (int[] result : results) {
            answered.asIntBuffer().get(result);
            answered.position(answered.position() + 16);
        }
        return results;
    }

    private void runToTrap(long address) {
        Resume how = Resume.CONTINUE;
        resume(how, 0);
        while (true) {
            WaitStatus stop = tracer.waitFor(this);
            if (stop.ended()) {
                throw new TaskGoneException(tid);
            }
            if (stop.signalStop() && stop.signal() == SIGTRAP && register(Reg.RIP) == address) {
                return;
            }
            if (stop.event() == WaitStatus.EVENT_EXIT) {
                throw new TaskGoneException(tid);
            }
            if (stop.signalStop()) {
                byte[] siginfo = siginfo();
                int code =
                        ByteBuffer.wrap(siginfo).order(ByteOrder.LITTLE_ENDIAN).getInt(SI_CODE);
                if (faults(stop.signal(), code)) {
                    throw new TracerException("a call injected into task " + tid + " faulted", EFAULT);
                }
                held.add(new HeldSignal(stop.signal(), siginfo));
            }
            resume(how, 0);
        }
    }

    /** Whether a signal comes from the code itself (SIGILL, SIGBUS, SIGFPE, SIGSEGV with a positive si_code). */
    private static boolean faults(int signal, int code) {
        return code > 0 && (signal == 4 || signal == 7 || signal == 8 || signal == 11);
    }

    void closeMemory() {
        memory.close();
    }

    private void checkStopped() {
        if (!stopped) {
            throw new IllegalStateException("task " + tid + " is not stopped");
        }
    }

    /** Where the debug registers lie in struct user. */
    private static final class Debug {
        static final long OFFSET = 848;
    }

    static long unaligned(MemorySegment segment, long offset) {
        return segment.get(JAVA_LONG_UNALIGNED, offset);
    }
}
