package dev.eremite.replay.session;

import dev.eremite.detcore.syscall.Errno;
import dev.eremite.detcore.syscall.FutexOperation;
import dev.eremite.detcore.syscall.SyscallNumbers;
import dev.eremite.detcore.syscall.SyscallRow;
import dev.eremite.detcore.syscall.SyscallTable;
import dev.eremite.replay.guest.TrappedInstruction;
import dev.eremite.tracer.linux.GuestMemory;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.TracerException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Answers the system calls of code that runs off the recording, in a copy of a replayed process: there is no outside world.
 * Memory can be had, output is shown, identities are the recorded ones; anything else does not exist (ENOSYS).
 */
public final class DivertedCalls {
    private static final int MAP_ANONYMOUS = 0x20;
    private static final int MAP_SHARED = 1;
    private static final long CARRY = 1;

    /** Between two readings of a clock, nanoseconds. */
    private static final long TICK = 1_000;

    private final ReplaySession session;
    private final ReplayOutput output;
    private final Set<String> missing = new TreeSet<>();
    private final Random numbers = new Random(1);
    private long clock;

    /** How code goes on after a call. */
    public enum Result {
        /** With the next instruction. */
        ANSWERED,
        /** Not: it would wait for something that only the recording could bring. */
        WAITS,
        /** Not: the thread or the process ends. */
        ENDS
    }

    /** Answers for the tasks of a session that is not to be replayed any more. */
    public DivertedCalls(ReplaySession session, ReplayOutput output) {
        this.session = session;
        this.output = output;
    }

    /** Names of calls that have been answered with ENOSYS; each once. */
    public Set<String> takeMissing() {
        Set<String> names = new TreeSet<>(missing);
        missing.clear();
        return names;
    }

    /** Answers the call that a task has just entered. */
    public Result answer(ReplayTask task) {
        Tracee tracee = task.tracee();
        int number = (int) tracee.register(Reg.ORIG_RAX);
        long[] args = new long[6];
        for (int i = 0; i < args.length; i++) {
            args[i] = tracee.register(Reg.argument(i));
        }
        if (number == SyscallNumbers.EXIT || number == SyscallNumbers.EXIT_GROUP) {
            return Result.ENDS;
        }
        boolean waits = number == SyscallNumbers.PAUSE
                || number == SyscallNumbers.RT_SIGRETURN
                || number == SyscallNumbers.FUTEX && FutexOperation.onlyWaits(args[1]) && sameWord(tracee, args);
        if (waits) {
            return Result.WAITS;
        }
        long result;
        try {
            result = result(task, number, args);
        } catch (TracerException e) {
            result = -Errno.EFAULT.number();
        }
        tracee.setRegister(Reg.RAX, result);
        tracee.orphanCall();
        return Result.ANSWERED;
    }

    private static boolean sameWord(Tracee tracee, long[] args) {
        return tracee.memory().readInt(args[0]) == (int) args[2];
    }

    private long result(ReplayTask task, int number, long[] args) {
        Tracee tracee = task.tracee();
        GuestMemory memory = tracee.memory();
        return switch (number) {
            case SyscallNumbers.WRITE -> write(args[0], memory.readFully(args[1], (int) Math.min(args[2], 1 << 20)));
            case SyscallNumbers.WRITEV -> writeVectors(memory, args);
            case SyscallNumbers.BRK -> breakAt(task, args);
            case SyscallNumbers.MMAP ->
                (args[3] & MAP_ANONYMOUS) == 0 || (args[3] & MAP_SHARED) != 0
                        ? -Errno.ENODEV.number()
                        : tracee.inject(number, args);
            case SyscallNumbers.MUNMAP, SyscallNumbers.MPROTECT, SyscallNumbers.MREMAP, SyscallNumbers.MADVISE ->
                tracee.inject(number, args);
            case SyscallNumbers.GETPID -> task.process().pid();
            case SyscallNumbers.GETTID -> task.tid();
            case SyscallNumbers.GETUID,
                    SyscallNumbers.GETEUID,
                    SyscallNumbers.GETGID,
                    SyscallNumbers.GETEGID,
                    SyscallNumbers.SCHED_YIELD,
                    SyscallNumbers.NANOSLEEP,
                    SyscallNumbers.CLOCK_NANOSLEEP -> 0;
            case SyscallNumbers.RT_SIGPROCMASK -> cleared(memory, args[2], 8);
            case SyscallNumbers.RT_SIGACTION -> cleared(memory, args[2], 32);
            case SyscallNumbers.GETRANDOM -> random(memory, args[0], (int) Math.min(args[1], 1 << 16));
            case SyscallNumbers.FUTEX -> FutexOperation.onlyWaits(args[1]) ? -Errno.EAGAIN.number() : 0;
            case SyscallNumbers.CLOCK_GETTIME, SyscallNumbers.GETTIMEOFDAY -> time(memory, number, args);
            default -> {
                SyscallRow row = SyscallTable.linux().find(number);
                missing.add(row == null ? "call " + number : row.name());
                yield -Errno.ENOSYS.number();
            }
        };
    }

    private long write(long descriptor, byte[] bytes) {
        if (descriptor != 1 && descriptor != 2) {
            return -Errno.EBADF.number();
        }
        output.write((int) descriptor, bytes);
        return bytes.length;
    }

    private long writeVectors(GuestMemory memory, long[] args) {
        long sum = 0;
        for (long i = 0; i < args[2]; i++) {
            long vector = args[1] + 16 * i;
            long written = write(args[0], memory.readFully(memory.readLong(vector), (int) memory.readLong(vector + 8)));
            if (written < 0) {
                return written;
            }
            sum += written;
        }
        return sum;
    }

    private long breakAt(ReplayTask task, long[] args) {
        long now = task.process().brk();
        return args[0] <= now ? now : session.space().repeat(task, SyscallNumbers.BRK, args, args[0]);
    }

    private static long cleared(GuestMemory memory, long address, int length) {
        if (address != 0) {
            memory.write(address, new byte[length]);
        }
        return 0;
    }

    /** The same numbers in each copy. */
    private long random(GuestMemory memory, long address, int length) {
        byte[] bytes = new byte[length];
        numbers.nextBytes(bytes);
        memory.write(address, bytes);
        return length;
    }

    private long time(GuestMemory memory, int number, long[] args) {
        clock += TICK;
        boolean micros = number == SyscallNumbers.GETTIMEOFDAY;
        long fraction = clock % 1_000_000_000L / (micros ? 1000 : 1);
        ByteBuffer out = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(clock / 1_000_000_000L).putLong(fraction);
        memory.write(micros ? args[0] : args[1], out.array());
        return 0;
    }

    /** Answers an instruction that faults since its results are recorded; false when it is none of those. */
    public boolean answerInstruction(ReplayTask task, int signal) {
        Tracee tracee = task.tracee();
        TrappedInstruction.Found found = TrappedInstruction.at(tracee, signal, tracee.register(Reg.RIP));
        if (found == null) {
            return false;
        }
        clock += TICK;
        switch (found.instruction()) {
            case RDTSC, RDTSCP -> {
                tracee.setRegister(Reg.RAX, clock & 0xffffffffL);
                tracee.setRegister(Reg.RDX, clock >>> 32);
            }
            case CPUID -> {
                // A processor that can do nothing is one that all code has a way for.
                for (int register : new int[] {Reg.RAX, Reg.RBX, Reg.RCX, Reg.RDX}) {
                    tracee.setRegister(register, 0);
                }
            }
            case RDRAND, RDSEED -> {
                tracee.setRegister(found.register(), clock);
                tracee.setRegister(Reg.EFLAGS, tracee.register(Reg.EFLAGS) | CARRY);
            }
        }
        tracee.setRegister(Reg.RIP, tracee.register(Reg.RIP) + found.length());
        return true;
    }
}
