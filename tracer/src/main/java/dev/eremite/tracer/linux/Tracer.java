package dev.eremite.tracer.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * All traced tasks of one session. Everything here runs on the thread that created it, except {@link #wake}; the kernel
 * accepts ptrace(2) requests from that thread alone.
 */
public final class Tracer implements AutoCloseable {
    /** How many bytes one transfer to or from guest memory moves at most. */
    static final int TRANSFER = 1 << 20;

    private static final int WALL = 0x40000000;
    private static final int WNOTHREAD = 0x20000000;
    private static final int WNOHANG = 1;
    /** Below this, waking up by a timer would take longer than the wait. */
    private static final long SPIN_NANOS = 300_000;

    private static final int EINTR = 4;
    private static final long END_WAIT_NANOS = 2_000_000_000L;
    private static final int ECHILD = 10;
    private static final int WAKE_SIGNAL = 62;
    private static final int OPTIONS = 0x1 // TRACESYSGOOD
            | 0x2 // TRACEFORK
            | 0x4 // TRACEVFORK
            | 0x8 // TRACECLONE
            | 0x10 // TRACEEXEC
            | 0x40 // TRACEEXIT
            | 0x80 // TRACESECCOMP
            | 0x100000; // EXITKILL

    private final Thread owner = Thread.currentThread();
    private final Arena arena = Arena.ofShared();
    final MemorySegment capture = Libc.newCapture(arena);
    final MemorySegment scratch = arena.allocate(64, 16);
    final MemorySegment registers = arena.allocate(Reg.COUNT * 8L, 16);
    final MemorySegment iovecs = arena.allocate(32, 16);
    final MemorySegment transfer = arena.allocate(TRANSFER, 4096);
    private final MemorySegment waitStatus = arena.allocate(8, 8);
    /** Read by the thread that shares the processor, too. */
    private final Map<Integer, Tracee> tracees = new ConcurrentHashMap<>();

    /** Ended leaders whose other threads had not ended, which nobody will wait for. */
    private final Set<Integer> leaders = new HashSet<>();

    private final WakeTimer timer;
    private final int threadId;
    /** Null until the tasks are gathered. */
    private ProcessorShare share;
    /** The task that was resumed last. */
    private volatile int running;

    private long stops;
    private long waitedNanos;

    /** Binds the calling thread as the tracer. */
    public Tracer() {
        Libc.interruptBy(WAKE_SIGNAL);
        threadId = (int) Libc.syscall(capture, Sys.GETTID, 0, 0, 0, 0, 0, 0);
        timer = new WakeTimer(this);
    }

    /** Binds the C library, which the first use does otherwise. May be called from any thread. */
    public static void prepare() {
        Libc.bind();
    }

    /** The kernel's id of the Java process. */
    public static int ownPid() {
        return (int) ProcessHandle.current().pid();
    }

    /**
     * Starts a task that pauses in the engine page, inherits this process's standard streams, directory and environment,
     * and is traced and stopped.
     */
    public Tracee spawn() {
        checkThread();
        byte[] image = EnginePage.image(ownPid());
        try (Arena local = Arena.ofConfined()) {
            MemorySegment name = local.allocateFrom("eremite-stub");
            int cloexec = 1;
            int fd = (int) Libc.syscall(capture, Sys.MEMFD_CREATE, name.address(), cloexec, 0, 0, 0, 0);
            if (fd < 0) {
                throw new TracerException("memfd_create", errno());
            }
            MemorySegment.copy(image, 0, transfer, JAVA_BYTE, 0, image.length);
            Libc.syscall(capture, Sys.WRITE, fd, transfer.address(), image.length, 0, 0, 0);
            MemorySegment path = local.allocateFrom("/proc/self/fd/" + fd);
            MemorySegment argv = local.allocate(16, 8);
            argv.set(JAVA_LONG, 0, name.address());
            MemorySegment envp = local.allocate(8, 8);
            MemorySegment pid = local.allocate(8, 8);
            int error = Libc.posixSpawn(
                    capture,
                    pid.address(),
                    path.address(),
                    Libc.spawnAttributes(capture, local).address(),
                    argv.address(),
                    envp.address());
            Libc.syscall(capture, Sys.CLOSE, fd, 0, 0, 0, 0, 0);
            if (error != 0) {
                throw new TracerException("posix_spawn", error);
            }
            Tracee tracee = seize(pid.get(JAVA_INT, 0));
            // As it is in every other guest, in recording and replay.
            tracee.memory().write(EnginePage.CODE, EnginePage.image());
            return tracee;
        }
    }

    private Tracee seize(int pid) {
        if (Libc.ptrace(capture, Ptrace.SEIZE, pid, 0, OPTIONS) < 0) {
            int errno = errno();
            kill(pid, 9);
            throw new TracerException("PTRACE_SEIZE", errno);
        }
        Tracee tracee = new Tracee(this, pid);
        tracees.put(pid, tracee);
        ptrace(Ptrace.INTERRUPT, pid, 0, 0);
        WaitStatus status = waitFor(tracee);
        // posix_spawn returns while execve is still going on, so that its event may come first.
        while (status.event() != WaitStatus.EVENT_STOP) {
            if (status.ended()) {
                throw new TaskGoneException(pid);
            }
            tracee.resume(Tracee.Resume.CONTINUE, 0);
            // any stop uses up a pending interrupt (ptrace_stop in the kernel clears JOBCTL_TRAP_STOP)
            ptrace(Ptrace.INTERRUPT, pid, 0, 0);
            status = waitFor(tracee);
        }
        tracee.orphanCall();
        return tracee;
    }

    /** The task with the kernel's id, known or not yet known (a child can stop before its parent's event comes). */
    public Tracee tracee(int tid) {
        return tracees.computeIfAbsent(tid, t -> new Tracee(this, t));
    }

    /** Forgets a task that has ended. */
    public void forget(Tracee tracee) {
        tracees.remove(tracee.tid());
        tracee.closeMemory();
    }

    /**
     * Waits for any task to stop or end.
     *
     * @param timeoutNanos how long at most; negative: until something happens or {@link #wake} is called; 0: do not wait
     * @return the task, its {@link Tracee#status} set, or null when nothing came in time or {@link #wake} was called
     */
    public Tracee waitAny(long timeoutNanos) {
        checkThread();
        int tid = waitRaw(-1, timeoutNanos);
        if (tid <= 0) {
            return null;
        }
        Tracee tracee = tracee(tid);
        tracee.stopped(new WaitStatus(waitStatus.get(JAVA_INT, 0)));
        return tracee;
    }

    /** Waits until a task that has been killed, or is exiting, has ended, and forgets it. Stops on the way are passed. */
    public void awaitEnd(Tracee tracee) {
        long deadline = System.nanoTime() + END_WAIT_NANOS;
        try {
            while (System.nanoTime() < deadline) {
                WaitStatus status = waitFor(tracee, 1_000_000);
                if (status != null && status.ended()) {
                    break;
                }
                if (status != null) {
                    tracee.resume(Tracee.Resume.CONTINUE, 0);
                } else if (taskState(tracee.tid()) == 'Z') {
                    // A leader stays a zombie until the last thread of its process has ended.
                    leaders.add(tracee.tid());
                    break;
                }
            }
        } catch (TaskGoneException e) {
            // Reaped already.
            forget(tracee);
            return;
        }
        forget(tracee);
        leaders.removeIf(tid -> waitRaw(tid, 0) != 0);
    }

    /** Waits for one task, for as long as it takes. */
    public WaitStatus waitFor(Tracee tracee) {
        checkThread();
        while (true) {
            int tid = waitRaw(tracee.tid(), -1);
            if (tid == tracee.tid()) {
                WaitStatus status = new WaitStatus(waitStatus.get(JAVA_INT, 0));
                tracee.stopped(status);
                return status;
            }
            if (tid == -ECHILD) {
                throw new TaskGoneException(tracee.tid());
            }
        }
    }

    /** Waits for one task up to a time; null when it has not stopped by then. Short times are kept exactly. */
    public WaitStatus waitFor(Tracee tracee, long timeoutNanos) {
        checkThread();
        boolean exactly = timeoutNanos > 0 && timeoutNanos < SPIN_NANOS;
        int tid = exactly ? spin(tracee.tid(), timeoutNanos) : waitRaw(tracee.tid(), timeoutNanos);
        if (tid == -ECHILD) {
            throw new TaskGoneException(tracee.tid());
        }
        if (tid <= 0) {
            return null;
        }
        WaitStatus status = new WaitStatus(waitStatus.get(JAVA_INT, 0));
        tracee.stopped(status);
        return status;
    }

    private int spin(int tid, long timeoutNanos) {
        long deadline = System.nanoTime() + timeoutNanos;
        int result;
        do {
            result = waitRaw(tid, 0);
        } while (result == 0 && System.nanoTime() < deadline);
        return result;
    }

    private int waitRaw(int tid, long timeoutNanos) {
        int options = WALL | WNOTHREAD | (timeoutNanos == 0 ? WNOHANG : 0);
        long began = System.nanoTime();
        long deadline = timeoutNanos > 0 ? began + timeoutNanos : 0;
        timer.arm(timeoutNanos);
        try {
            while (true) {
                if (timeoutNanos != 0 && timer.due(deadline)) {
                    options |= WNOHANG;
                }
                int result = Libc.waitpid(capture, tid, waitStatus.address(), options);
                if (result >= 0) {
                    stops += result > 0 ? 1 : 0;
                    return result;
                }
                int errno = errno();
                if (errno != EINTR) {
                    return -errno;
                }
            }
        } finally {
            timer.disarm();
            waitedNanos += System.nanoTime() - began;
        }
    }

    /** How many stops and ends of tasks have been seen. */
    public long stops() {
        return stops;
    }

    /** How long tasks have been waited for, in nanoseconds. */
    public long waitedNanos() {
        return waitedNanos;
    }

    /** Makes a wait that is going on, or else the next one, return at once. May be called from any thread. */
    public void wake() {
        timer.wake();
    }

    void signalOwner(MemorySegment ownCapture) {
        Libc.syscall(ownCapture, Sys.TGKILL, ownPid(), threadId, WAKE_SIGNAL, 0, 0, 0);
    }

    /** Sends a signal to a process (kill(2)); no error when it is gone. */
    public void kill(int pid, int signal) {
        Libc.syscall(capture, Sys.KILL, pid, signal, 0, 0, 0, 0);
    }

    /** Sends a signal to a thread (tgkill(2)); no error when it is gone. */
    public void tgkill(int pid, int tid, int signal) {
        Libc.syscall(capture, Sys.TGKILL, pid, tid, signal, 0, 0, 0);
    }

    /**
     * Whether two descriptors refer to the same open file description (kcmp(2) KCMP_FILE).
     *
     * @return 0 when they do, a positive number when not, a negative errno when that cannot be told
     */
    public long sameOpenFile(int pid1, int fd1, int pid2, int fd2) {
        int kcmpFile = 0;
        long result = Libc.syscall(capture, Sys.KCMP, pid1, pid2, kcmpFile, fd1, fd2, 0);
        return result < 0 ? -errno() : result;
    }

    /** The host's clock (clock_gettime(2)): seconds into {@code out[0]}, nanoseconds into {@code out[1]}; 0 or −errno. */
    public int clock(int clockId, long[] out) {
        long result = Libc.syscall(capture, Sys.CLOCK_GETTIME, clockId, scratch.address(), 0, 0, 0, 0);
        if (result < 0) {
            return -errno();
        }
        out[0] = scratch.get(JAVA_LONG, 0);
        out[1] = scratch.get(JAVA_LONG, 8);
        return 0;
    }

    /**
     * A file's identity and size (stat(2)); the path may be {@code /proc/PID/fd/N}.
     *
     * @return null when there is no such file
     */
    public FileStatus fileStatus(String path) {
        try (Arena local = Arena.ofConfined()) {
            MemorySegment name = local.allocateFrom(path);
            if (Libc.syscall(capture, Sys.STAT, name.address(), transfer.address(), 0, 0, 0, 0) < 0) {
                return null;
            }
            return FileStatus.from(transfer);
        }
    }

    /** Keeps this thread and all tasks on one processor from now on, which may change. A second call does nothing. */
    public void gather() {
        if (share == null) {
            share = new ProcessorShare(threadId, () -> running, tracees::keySet);
        }
    }

    /** The processors that this thread was allowed to use before {@link #gather}, as a mask (sched_getaffinity(2)). */
    public byte[] allowedProcessors() {
        return share.allowed();
    }

    /** After {@link #gather}: keeps all on the processor where they are now; returns its number. */
    public int stay() {
        return share.stay();
    }

    /** After {@link #gather}: keeps all on that processor, where that is possible. */
    public void stayOn(int processor) {
        share.stayOn(processor);
    }

    /** Where a symbolic link such as {@code /proc/PID/fd/N} points to (readlink(2)); null when it cannot be read. */
    public String linkTarget(String path) {
        try (Arena local = Arena.ofConfined()) {
            MemorySegment name = local.allocateFrom(path);
            int limit = 4096;
            long length = Libc.syscall(capture, Sys.READLINK, name.address(), transfer.address(), limit, 0, 0, 0);
            return length < 0
                    ? null
                    : new String(transfer.asSlice(0, length).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
        }
    }

    /**
     * The scheduling state of a task as /proc/PID/stat shows it (proc_pid_stat(5)): R, S, D, t, Z, X…; 0 when it is gone.
     */
    public char taskState(int tid) {
        try (Arena local = Arena.ofConfined()) {
            MemorySegment path = local.allocateFrom("/proc/" + tid + "/stat");
            long fd = Libc.syscall(capture, Sys.OPEN, path.address(), 0, 0, 0, 0, 0);
            if (fd < 0) {
                return 0;
            }
            long got = Libc.syscall(capture, Sys.READ, fd, transfer.address(), 128, 0, 0, 0);
            Libc.syscall(capture, Sys.CLOSE, fd, 0, 0, 0, 0, 0);
            // The command name is in parentheses and may hold any byte, a parenthesis too.
            for (long i = got - 3; i >= 0; i--) {
                if (transfer.get(JAVA_BYTE, i) == ')') {
                    return (char) transfer.get(JAVA_BYTE, i + 2);
                }
            }
            return 0;
        }
    }

    /** The time in nanoseconds that a task has had a processor (/proc/PID/schedstat); 0 when the kernel does not tell. */
    public long processorNanos(int tid) {
        try (Arena local = Arena.ofConfined()) {
            MemorySegment path = local.allocateFrom("/proc/" + tid + "/schedstat");
            long fd = Libc.syscall(capture, Sys.OPEN, path.address(), 0, 0, 0, 0, 0);
            if (fd < 0) {
                return 0;
            }
            long got = Libc.syscall(capture, Sys.READ, fd, transfer.address(), 64, 0, 0, 0);
            Libc.syscall(capture, Sys.CLOSE, fd, 0, 0, 0, 0, 0);
            long nanos = 0;
            for (long i = 0; i < got && transfer.get(JAVA_BYTE, i) >= '0'; i++) {
                nanos = nanos * 10 + transfer.get(JAVA_BYTE, i) - '0';
            }
            return nanos;
        }
    }

    /** Creates an anonymous file that guests can open as {@code /proc/PID/fd/N}; returns the descriptor. */
    public int memfd(String name, long size) {
        try (Arena local = Arena.ofConfined()) {
            MemorySegment text = local.allocateFrom(name, StandardCharsets.UTF_8);
            int cloexec = 1;
            int fd = (int) Libc.syscall(capture, Sys.MEMFD_CREATE, text.address(), cloexec, 0, 0, 0, 0);
            if (fd < 0 || Libc.syscall(capture, Sys.FTRUNCATE, fd, size, 0, 0, 0, 0) < 0) {
                throw new TracerException("memfd_create", errno());
            }
            return fd;
        }
    }

    /** Closes a descriptor of this process that {@link #memfd} or {@link #perfBreakpoint} returned. */
    public void closeFd(int fd) {
        Libc.syscall(capture, Sys.CLOSE, fd, 0, 0, 0, 0, 0);
    }

    void resuming(int tid) {
        running = tid;
    }

    long ptrace(int request, int tid, long address, long data) {
        long result = Libc.ptrace(capture, request, tid, address, data);
        if (result < 0) {
            int errno = errno();
            int esrch = 3;
            if (errno == esrch) {
                throw new TaskGoneException(tid);
            }
            throw new TracerException("ptrace request 0x" + Integer.toHexString(request), errno);
        }
        return result;
    }

    int errno() {
        return Libc.errno(capture);
    }

    private void checkThread() {
        if (Thread.currentThread() != owner) {
            throw new IllegalStateException("the tracer belongs to " + owner);
        }
    }

    /** Kills every task that is still there and reaps it. */
    @Override
    public void close() {
        checkThread();
        if (share != null) {
            share.close();
        }
        for (Tracee tracee : tracees.values()) {
            kill(tracee.tid(), 9);
            tracee.closeMemory();
        }
        long deadline = System.nanoTime() + 2_000_000_000L;
        while (System.nanoTime() < deadline) {
            int tid = waitRaw(-1, 100_000_000L);
            if (tid == -ECHILD) {
                break;
            }
            WaitStatus status = new WaitStatus(waitStatus.get(JAVA_INT, 0));
            if (tid > 0 && !status.ended()) {
                Libc.ptrace(capture, Ptrace.CONT, tid, 0, 0);
            }
        }
        tracees.clear();
        timer.close();
        arena.close();
    }
}
