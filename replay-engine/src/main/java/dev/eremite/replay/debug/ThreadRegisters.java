package dev.eremite.replay.debug;

/**
 * A thread's registers.
 *
 * @param general user_regs_struct of ptrace(2): r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip
 *     cs eflags rsp ss fs_base gs_base ds es fs gs
 * @param xsave the XSAVE area in standard (not compacted) format, as PTRACE_GETREGSET NT_X86_XSTATE gives it
 * @param layout where the extended components lie in it
 */
public record ThreadRegisters(long[] general, byte[] xsave, XsaveLayout layout) {
    /** Offsets in bytes of the components in the XSAVE area (CPUID leaf 0xD); −1 where the processor lacks one. */
    public record XsaveLayout(int avx, int opmask, int zmmHi256, int hi16Zmm, int pkru) {}
}
