package dev.eremite.replay.session;

import dev.eremite.detcore.syscall.SyscallNumbers;
import dev.eremite.replay.event.Mapping;
import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.tracer.linux.EnginePage;
import dev.eremite.tracer.linux.Sys;
import dev.eremite.tracer.linux.Tracee;
import java.util.List;
import java.util.Map;

/**
 * Lets stacks grow in replay as they grew in the recording: by faults below the mapping, down to the limit that is in force
 * at that moment (setrlimit(2), RLIMIT_STACK). The kernel looks at the limit of the task itself, so it gets the same one.
 */
final class StackGrowth {
    private static final int RLIMIT_STACK = 3;

    /** What execve(2) leaves of room below the arguments (fs/exec.c, setup_arg_pages). */
    private static final long FIRST_ROOM = 128 << 10;

    /** A recorded stack of this length had no limit. */
    private static final long UNLIMITED_LENGTH = 1L << 30;

    private StackGrowth() {}

    /**
     * Limits a new program's stack.
     *
     * @param stack the stack at its greatest length
     * @param contents what the image holds
     * @return the mapping to begin with
     */
    static Mapping atFirst(Tracee stub, Mapping stack, List<MemoryWrite> contents) {
        long infinity = -1;
        limit(stub, stack.length() >= UNLIMITED_LENGTH ? infinity : stack.length());
        long end = stack.start() + stack.length();
        long lowest = contents.stream()
                .mapToLong(MemoryWrite::address)
                .filter(address -> address >= stack.start() && address < end)
                .min()
                .orElse(end);
        long start = Math.max(stack.start(), lowest - FIRST_ROOM);
        return new Mapping(start, end - start, stack.prot(), stack.flags(), stack.backing(), stack.name());
    }

    /** Sets the soft limit; the hard one stays unless it is lower. */
    private static void limit(Tracee tracee, long bytes) {
        tracee.inject(Sys.PRLIMIT64, 0, RLIMIT_STACK, 0, EnginePage.DATA);
        long hard = tracee.memory().readLong(EnginePage.DATA + 8);
        tracee.memory().writeLong(EnginePage.DATA, bytes);
        tracee.memory().writeLong(EnginePage.DATA + 8, Long.compareUnsigned(hard, bytes) < 0 ? bytes : hard);
        tracee.inject(Sys.PRLIMIT64, 0, RLIMIT_STACK, EnginePage.DATA, 0);
    }

    /** Repeats setrlimit(2) or prlimit(2), which has succeeded in the recording, where it limits a stack. */
    static void repeat(ReplayTask caller, int number, long[] args, Map<Integer, ReplayTask> tasks) {
        int process = 0;
        long newLimit = 0;
        if (number == SyscallNumbers.SETRLIMIT && (int) args[0] == RLIMIT_STACK) {
            newLimit = args[1];
        } else if (number == SyscallNumbers.PRLIMIT64 && (int) args[1] == RLIMIT_STACK) {
            process = (int) args[0];
            newLimit = args[2];
        }
        ReplayTask target = process == 0 ? caller : tasks.get(process);
        if (newLimit != 0 && target != null) {
            limit(target.tracee(), caller.tracee().memory().readLong(newLimit));
        }
    }

    /** Makes the stack grow to an address as the kernel's own access does it; without effect where it may not. */
    static void reach(Tracee tracee, long address) {
        // access(2) reads a path there, which fails harmlessly.
        tracee.inject(Sys.ACCESS, address, 0);
    }
}
