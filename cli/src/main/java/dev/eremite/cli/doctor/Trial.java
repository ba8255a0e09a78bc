package dev.eremite.cli.doctor;

import dev.eremite.tracer.linux.EnginePage;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.SeccompFilter;
import dev.eremite.tracer.linux.Sys;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.Tracer;
import dev.eremite.tracer.linux.WaitStatus;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.TreeSet;

/**
 * A traced task in which each thing that the engine asks of the kernel is really done. The answers are 0 or a negative
 * errno. One thread.
 */
final class Trial implements AutoCloseable {
    /** The answer where the kernel agreed, and then nothing happened. */
    static final long NO_EFFECT = Long.MIN_VALUE;

    private static final int USERFAULTFD = 323;
    private static final int IOCTL = 16;
    private static final int SIGKILL = 9;
    private static final int SIGTRAP = 5;
    private static final int SIGSEGV = 11;
    private static final long HIT_NANOS = 500_000_000L;
    private static final int VISITS = 1000;

    private final Tracer tracer;
    private final Tracee stub;

    /** Starts the task. Throws TracerException, or TaskGoneException, where tasks cannot be traced. */
    Trial() {
        tracer = new Tracer();
        Tracee started = null;
        try {
            started = tracer.spawn();
        } finally {
            if (started == null) {
                tracer.close();
            }
        }
        stub = started;
        stub.mapEngineData();
    }

    /** The filter with which guests run (seccomp(2)). To be tried last: the task keeps it. */
    long seccomp() {
        byte[] filter = SeccompFilter.build(new TreeSet<>());
        ByteBuffer program = data(16).putLong(filter.length / 8).putLong(EnginePage.DATA + 16);
        stub.memory().write(EnginePage.DATA, program.array());
        stub.memory().write(EnginePage.DATA + 16, filter);
        int noNewPrivileges = 38;
        stub.inject(Sys.PRCTL, noNewPrivileges, 1, 0, 0, 0);
        int setModeFilter = 1;
        return stub.inject(Sys.SECCOMP, setModeFilter, 0, EnginePage.DATA);
    }

    /** Whether CPUID faults when it is to (arch_prctl(2) ARCH_SET_CPUID). */
    long cpuidFaulting() {
        int setCpuid = 0x1012;
        long answer = stub.inject(Sys.ARCH_PRCTL, setCpuid, 0);
        if (answer < 0) {
            return answer;
        }
        boolean faults = runsInto(EnginePage.CPUID, SIGSEGV);
        stub.inject(Sys.ARCH_PRCTL, setCpuid, 1);
        return faults ? 0 : NO_EFFECT;
    }

    /** Whether the time-stamp counter can be forbidden (prctl(2) PR_SET_TSC). */
    long tscFaulting() {
        int setTsc = 26;
        int fault = 2;
        return stub.inject(Sys.PRCTL, setTsc, fault);
    }

    /** Whether descriptors can be compared (kcmp(2)). */
    long kcmp() {
        long answer = tracer.sameOpenFile(Tracer.ownPid(), 2, stub.tid(), 2);
        return Math.min(answer, 0);
    }

    /** Whether the kernel tells which pages were written (userfaultfd(2) UFFD_FEATURE_WP_ASYNC). */
    long writtenPages() {
        int closeOnExec = 0x80000;
        int userModeOnly = 1;
        long fd = stub.inject(USERFAULTFD, closeOnExec | userModeOnly);
        if (fd < 0) {
            return fd;
        }
        long api = 0xaa;
        long asynchronously = 1L << 15;
        stub.memory()
                .write(
                        EnginePage.DATA,
                        data(24).putLong(api).putLong(asynchronously).array());
        long apiRequest = 0xc018aa3fL;
        long answer = stub.inject(IOCTL, fd, apiRequest, EnginePage.DATA);
        stub.inject(Sys.CLOSE, fd);
        return answer;
    }

    /** Whether a breakpoint in a debug register stops the task (ptrace(2) PTRACE_POKEUSER). Throws TracerException. */
    long debugRegisters() {
        int control = 7;
        stub.setDebugRegister(0, EnginePage.PAUSE);
        stub.setDebugRegister(control, 1);
        boolean hit = runsInto(EnginePage.PAUSE, SIGTRAP);
        stub.setDebugRegister(control, 0);
        return hit ? 0 : NO_EFFECT;
    }

    /** Whether the kernel stops the task at the nth visit of an address (perf_event_open(2), {@code sigtrap}). */
    long countedBreakpoints() {
        int typeBreakpoint = 5;
        int size = 128;
        long excludeKernel = 1L << 5;
        long excludeHypervisor = 1L << 6;
        long removeOnExec = 1L << 36;
        long sigtrap = 1L << 37;
        int execute = 4;
        ByteBuffer attributes =
                data(size).putInt(typeBreakpoint).putInt(size).putLong(0).putLong(VISITS);
        attributes.putLong(0).putLong(0).putLong(excludeKernel | excludeHypervisor | removeOnExec | sigtrap);
        attributes.putInt(0).putInt(execute).putLong(EnginePage.PAUSE).putLong(Long.BYTES);
        stub.memory().write(EnginePage.DATA, attributes.array());
        int closeOnExec = 8;
        long fd = stub.inject(Sys.PERF_EVENT_OPEN, EnginePage.DATA, 0, -1, -1, closeOnExec);
        if (fd < 0) {
            return fd;
        }
        boolean hit = runsInto(EnginePage.PAUSE, SIGTRAP);
        stub.inject(Sys.CLOSE, fd);
        return hit ? 0 : NO_EFFECT;
    }

    /** Runs code of the engine page and says whether that signal comes soon. */
    private boolean runsInto(long code, int signal) {
        long[] saved = stub.registers();
        stub.setRegister(Reg.RIP, code);
        stub.setRegister(Reg.ORIG_RAX, -1);
        stub.resume(Tracee.Resume.CONTINUE, 0);
        WaitStatus stop = tracer.waitFor(stub, HIT_NANOS);
        if (stop == null) {
            stub.interrupt();
            stop = tracer.waitFor(stub);
        }
        boolean came = stop.signalStop() && stop.signal() == signal;
        stub.setRegisters(saved);
        return came;
    }

    private static ByteBuffer data(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void close() {
        tracer.kill(stub.tid(), SIGKILL);
        tracer.awaitEnd(stub);
        tracer.close();
    }
}
