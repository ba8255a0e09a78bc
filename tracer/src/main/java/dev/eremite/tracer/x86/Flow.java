package dev.eremite.tracer.x86;

/** What an instruction does to control flow, and whether a tracer must treat it specially. */
public enum Flow {
    /** Goes on to the next instruction. */
    SEQUENTIAL,
    /** jmp with a relative target. */
    JUMP,
    /** jcc with a relative target. */
    CONDITIONAL_JUMP,
    /** loop, loope, loopne, jrcxz and jecxz: conditional, with an 8-bit displacement only. */
    COUNTED_JUMP,
    /** call with a relative target. */
    CALL,
    /** jmp through a register or memory. */
    INDIRECT_JUMP,
    /** call through a register or memory. */
    INDIRECT_CALL,
    /** Near ret. */
    RETURN,
    /** Far jmp, far call, far ret and iret. */
    FAR_TRANSFER,
    /** syscall and sysenter. */
    SYSCALL,
    /** int n, int3 and int1. */
    INTERRUPT,
    /** rdtsc and rdtscp, which a tracer may make fault (PR_SET_TSC of prctl(2)). */
    TIME_STAMP,
    /** cpuid, which a tracer may make fault (ARCH_SET_CPUID of arch_prctl(2)). */
    CPU_IDENTITY,
    /** rdrand, rdseed, rdpid, xgetbv and rdpmc: results that replay cannot reproduce and that cannot be trapped. */
    NONDETERMINISTIC,
    /** xbegin, with a relative target for the abort; xabort, xend. */
    TRANSACTION,
    /** ud0, ud1, ud2: always SIGILL. */
    UNDEFINED,
    /** hlt, in, out, cli, mov to control registers and the like: a fault in user mode. */
    PRIVILEGED;

    /** Whether the instruction carries a target relative to its end. */
    public boolean isRelative() {
        return this == JUMP || this == CONDITIONAL_JUMP || this == COUNTED_JUMP || this == CALL;
    }

    /** Whether the next instruction in memory never follows (calls do come back, so they are not among these). */
    public boolean endsBlock() {
        return this == JUMP || this == INDIRECT_JUMP || this == RETURN || this == FAR_TRANSFER || this == UNDEFINED;
    }
}
