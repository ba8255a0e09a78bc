package dev.eremite.replay.guest;

import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Tracee;

/** The frame that the kernel pushes for a signal handler (arch/x86/include/asm/sigframe.h, struct rt_sigframe). */
public final class SignalFrame {
    private static final int FPSTATE_POINTER = 0xe0;
    private static final int SW_RESERVED = 464;
    private static final int FP_MAGIC = 0x46505853;
    private static final int FXSAVE_LENGTH = 512;
    private static final int WITHOUT_FPSTATE = 440;

    private SignalFrame() {}

    /** Reads the frame of a task that stands at the first instruction of its handler. */
    public static MemoryWrite capture(Tracee tracee) {
        long start = tracee.register(Reg.RSP);
        long ucontext = tracee.register(Reg.RDX);
        long fpstate = tracee.memory().readLong(ucontext + FPSTATE_POINTER);
        long end = start + WITHOUT_FPSTATE;
        if (fpstate != 0) {
            boolean extended = tracee.memory().readInt(fpstate + SW_RESERVED) == FP_MAGIC;
            int length = extended ? tracee.memory().readInt(fpstate + SW_RESERVED + 4) : FXSAVE_LENGTH;
            end = Math.max(end, fpstate + length);
        }
        return new MemoryWrite(start, tracee.memory().readFully(start, (int) (end - start)));
    }
}
