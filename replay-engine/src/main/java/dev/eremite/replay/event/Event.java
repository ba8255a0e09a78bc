package dev.eremite.replay.event;

import java.util.List;

/**
 * One entry of a recording. Between two consecutive events only guest code runs, and only that of the task that
 * the later event belongs to; that code is deterministic given the events before it.
 *
 * <p>Task ids are those of the recording (Linux thread ids as the guest saw them); they are data, not handles.
 */
public sealed interface Event {
    /**
     * The address of the first write of a call that moved data to a standard stream without the program's seeing it
     * (sendfile(2) and the like): its bytes are that output, and are nowhere in memory.
     */
    long OUTPUT = 0;

    /** The recorded thread id of the task that this event belongs to. */
    int task();

    /**
     * A system call that began and ended with no event of another task in between.
     *
     * @param proof the registers when the call was entered
     * @param number the x86-64 system call number
     * @param args the six argument registers at entry: rdi, rsi, rdx, r10, r8, r9
     * @param result rax after the call; negative errno on failure
     * @param writes guest memory that the kernel wrote
     * @param stream 1 or 2 when the call wrote to the recording's own stdout or stderr, else 0
     * @param effect what replay must do besides writing memory and registers
     */
    record Syscall(
            int task,
            RegisterProof proof,
            int number,
            long[] args,
            long result,
            List<MemoryWrite> writes,
            int stream,
            Effect effect)
            implements Event {}

    /**
     * A system call that was entered and then waited in the kernel while other tasks ran; {@link SyscallExit} ends it.
     *
     * @param writes guest memory that the kernel wrote before it waited (the waiters bit of a futex)
     */
    record SyscallEnter(int task, RegisterProof proof, int number, long[] args, List<MemoryWrite> writes)
            implements Event {}

    /** The end of a call begun by {@link SyscallEnter}. The result is −512…−516 when a signal interrupted it. */
    record SyscallExit(int task, int number, long result, List<MemoryWrite> writes, int stream, Effect effect)
            implements Event {}

    /**
     * A trapped instruction whose results come from the log.
     *
     * @param results the registers that it changed, rip among them
     */
    record Instruction(int task, RegisterProof proof, Kind kind, List<RegisterValue> results) implements Event {
        /** Which instruction. */
        public enum Kind {
            RDTSC,
            RDTSCP,
            CPUID,
            RDRAND,
            RDSEED
        }
    }

    /**
     * From here on RDTSC and RDTSCP fault in all threads of a process: it may run code that is in no file (prctl(2)
     * PR_SET_TSC). No guest code runs between the event before and this one.
     *
     * @param processor the processor that all tasks stay on from here on, since CPUID tells its number in such code; −1
     *     when CPUID faults
     */
    record ClockTrap(int task, int processor) implements Event {}

    /**
     * A signal delivered to a handler, or a deadly one.
     *
     * @param proof the registers of the interrupted code
     * @param signal 1…64
     * @param siginfo the 128 bytes of siginfo_t
     * @param origin whether the code itself caused it, so that it recurs in replay
     * @param landmark for an asynchronous signal in the middle of a segment, where it landed; null at a boundary,
     *     that is directly after this task's previous event, or inside a call that has been entered
     * @param frame what the kernel pushed for the handler; null when the signal kills
     * @param registers user_regs_struct (27 longs) at the handler's first instruction; null when the signal kills
     */
    record Signal(
            int task,
            RegisterProof proof,
            int signal,
            byte[] siginfo,
            Origin origin,
            Landmark landmark,
            MemoryWrite frame,
            long[] registers)
            implements Event {
        /** Where a signal comes from. */
        public enum Origin {
            SYNCHRONOUS,
            ASYNCHRONOUS
        }
    }

    /** The scheduler took the processor from a task in the middle of a segment. */
    record Preempt(int task, RegisterProof proof, Landmark landmark) implements Event {}

    /**
     * The end of a task.
     *
     * @param status the wait status as in wait(2): exit code × 256, or the number of the deadly signal (bit 7: core)
     * @param writes memory of others that the kernel wrote at the death: the cleared thread id, robust futexes
     */
    record TaskExit(int task, int status, List<MemoryWrite> writes) implements Event {}
}
