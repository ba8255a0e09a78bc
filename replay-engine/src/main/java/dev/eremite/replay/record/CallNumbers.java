package dev.eremite.replay.record;

/** Numbers of the calls that the recorder and the replayer treat by themselves. */
public final class CallNumbers {
    public static final int READ = 0;
    public static final int WRITE = 1;
    public static final int OPEN = 2;
    public static final int CLOSE = 3;
    public static final int MMAP = 9;
    public static final int MPROTECT = 10;
    public static final int MUNMAP = 11;
    public static final int BRK = 12;
    public static final int RT_SIGRETURN = 15;
    public static final int PWRITE64 = 18;
    public static final int WRITEV = 20;
    public static final int SCHED_YIELD = 24;
    public static final int MREMAP = 25;
    public static final int MADVISE = 28;
    public static final int SHMAT = 30;
    public static final int DUP2 = 33;
    public static final int SENDFILE = 40;
    public static final int RECVFROM = 45;
    public static final int CLONE = 56;
    public static final int FORK = 57;
    public static final int VFORK = 58;
    public static final int EXECVE = 59;
    public static final int EXIT = 60;
    public static final int SHMDT = 67;
    public static final int TRUNCATE = 76;
    public static final int FTRUNCATE = 77;
    public static final int CREAT = 85;
    public static final int GETTIMEOFDAY = 96;
    public static final int PRCTL = 157;
    public static final int ARCH_PRCTL = 158;
    public static final int SETRLIMIT = 160;
    public static final int TIME = 201;
    public static final int FUTEX = 202;
    public static final int SCHED_SETAFFINITY = 203;
    public static final int SCHED_GETAFFINITY = 204;
    public static final int SET_TID_ADDRESS = 218;
    public static final int CLOCK_GETTIME = 228;
    public static final int EXIT_GROUP = 231;
    public static final int OPENAT = 257;
    public static final int UNSHARE = 272;
    public static final int SET_ROBUST_LIST = 273;
    public static final int SPLICE = 275;
    public static final int TEE = 276;
    public static final int VMSPLICE = 278;
    public static final int FALLOCATE = 285;
    public static final int DUP3 = 292;
    public static final int PWRITEV = 296;
    public static final int SETNS = 308;
    public static final int PRLIMIT64 = 302;
    public static final int EXECVEAT = 322;
    public static final int GETCPU = 309;
    public static final int SECCOMP = 317;
    public static final int COPY_FILE_RANGE = 326;
    public static final int PWRITEV2 = 328;
    public static final int PKEY_MPROTECT = 329;
    public static final int CLONE3 = 435;
    public static final int CLOSE_RANGE = 436;
    public static final int OPENAT2 = 437;

    private CallNumbers() {}

    /** exit and exit_group. */
    public static boolean endsTask(int number) {
        return number == EXIT || number == EXIT_GROUP;
    }

    /** execve and execveat. */
    public static boolean isExec(int number) {
        return number == EXECVE || number == EXECVEAT;
    }

    /** The calls that create tasks. */
    public static boolean spawns(int number) {
        return number == CLONE || number == FORK || number == VFORK || number == CLONE3;
    }
}
