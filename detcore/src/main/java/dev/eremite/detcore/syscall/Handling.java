package dev.eremite.detcore.syscall;

/** How the recorder treats a call. */
public enum Handling {
    /** The kernel runs it; result and outputs go to the log; replay only writes them back. */
    RECORD,
    /** The kernel runs it in recording and in replay alike, with the same result (munmap, mprotect, madvise). */
    NATIVE,
    /** The engine answers it at entry without the kernel (clocks, ids); one stop. The answer goes to the log. */
    EMULATE,
    /** It changes address spaces or tasks, and the engine has code of its own for it (mmap, brk, clone, execve, exit). */
    SPECIAL,
    /** It fails with a fixed errno, for a stated reason. */
    REFUSE
}
