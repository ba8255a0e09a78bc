package dev.eremite.tracer.linux;

/** Numbers of the x86-64 system calls that the engine itself makes, in its own process or injected into a guest. */
public final class Sys {
    public static final int READ = 0;
    public static final int WRITE = 1;
    public static final int OPEN = 2;
    public static final int CLOSE = 3;
    public static final int STAT = 4;
    public static final int CLOSE_RANGE = 436;
    public static final int LSEEK = 8;
    public static final int MMAP = 9;
    public static final int MPROTECT = 10;
    public static final int MUNMAP = 11;
    public static final int BRK = 12;
    public static final int IOCTL = 16;
    public static final int ACCESS = 21;
    public static final int MREMAP = 25;
    public static final int PAUSE = 34;
    public static final int CLONE = 56;
    public static final int EXECVE = 59;
    public static final int EXIT = 60;
    public static final int KILL = 62;
    public static final int FTRUNCATE = 77;
    public static final int CHDIR = 80;
    public static final int READLINK = 89;
    public static final int PERSONALITY = 135;
    public static final int PRCTL = 157;
    public static final int ARCH_PRCTL = 158;
    public static final int GETTID = 186;
    public static final int SCHED_SETAFFINITY = 203;
    public static final int SCHED_GETAFFINITY = 204;
    public static final int GETCPU = 309;
    public static final int CLOCK_GETTIME = 228;
    public static final int TGKILL = 234;
    public static final int TEE = 276;
    public static final int PIPE2 = 293;
    public static final int PERF_EVENT_OPEN = 298;
    public static final int PRLIMIT64 = 302;
    public static final int KCMP = 312;
    public static final int SECCOMP = 317;
    public static final int MEMFD_CREATE = 319;

    private Sys() {}
}
