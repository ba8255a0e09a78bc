package dev.eremite.tracer.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The libc functions that the tracer calls. Every symbol bound here is listed in {@code tracer/libc-symbols.txt}.
 *
 * <p>Functions that report through errno take a capture segment first; it is valid only after a failure.
 */
final class Libc {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO_FIELD = CAPTURE.varHandle(PathElement.groupElement("errno"));

    /**
     * One handle, whose first argument is the function, for all: making another type's handle takes ten milliseconds. The
     * x86-64 calling convention lets a function be given more arguments than it takes, and takes an int from the lower
     * half of a long; a function that returns an int leaves the upper half undefined.
     */
    private static final MethodHandle CALL = LINKER.downcallHandle(
            FunctionDescriptor.of(
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
            Linker.Option.captureCallState("errno"),
            Linker.Option.firstVariadicArg(1));

    private static final MemorySegment PTRACE = symbol("ptrace");
    private static final MemorySegment WAITPID = symbol("waitpid");
    private static final MemorySegment VM_READV = symbol("process_vm_readv");
    private static final MemorySegment VM_WRITEV = symbol("process_vm_writev");
    private static final MemorySegment SYSCALL = symbol("syscall");

    private Libc() {}

    /** Does nothing, but the class is initialised. */
    static void bind() {}

    /** A segment to capture errno in. */
    static MemorySegment newCapture(Arena arena) {
        return arena.allocate(CAPTURE);
    }

    /** The errno of the failed call that captured into the segment. */
    static int errno(MemorySegment capture) {
        return (int) ERRNO_FIELD.get(capture, 0L);
    }

    static long ptrace(MemorySegment capture, int request, int tid, long address, long data) {
        return call(PTRACE, capture, request, tid, address, data, 0, 0, 0);
    }

    static int waitpid(MemorySegment capture, int tid, long status, int options) {
        return (int) call(WAITPID, capture, tid, status, options, 0, 0, 0, 0);
    }

    static long processVmReadv(MemorySegment capture, int tid, long local, long remote) {
        return call(VM_READV, capture, tid, local, 1, remote, 1, 0, 0);
    }

    static long processVmWritev(MemorySegment capture, int tid, long local, long remote) {
        return call(VM_WRITEV, capture, tid, local, 1, remote, 1, 0, 0);
    }

    /** A system call by number, for those that need no wrapper. Returns −1 on failure. */
    static long syscall(MemorySegment capture, long number, long a, long b, long c, long d, long e, long f) {
        return call(SYSCALL, capture, number, a, b, c, d, e, f);
    }

    static int posixSpawn(MemorySegment capture, long pid, long path, long attributes, long argv, long envp) {
        return (int) call(symbol("posix_spawn"), capture, pid, path, 0, attributes, argv, envp, 0);
    }

    /** Prepares spawn attributes that give the child an empty signal mask. */
    static MemorySegment spawnAttributes(MemorySegment capture, Arena arena) {
        MemorySegment attributes = arena.allocate(512, 16);
        MemorySegment mask = arena.allocate(128, 16);
        int setSigMask = 0x08;
        long at = attributes.address();
        int init = (int) call(symbol("posix_spawnattr_init"), capture, at, 0, 0, 0, 0, 0, 0);
        int flags = (int) call(symbol("posix_spawnattr_setflags"), capture, at, setSigMask, 0, 0, 0, 0, 0);
        int sigmask = (int) call(symbol("posix_spawnattr_setsigmask"), capture, at, mask.address(), 0, 0, 0, 0, 0);
        if ((init | flags | sigmask) != 0) {
            throw new IllegalStateException("posix_spawnattr: " + (init | flags | sigmask));
        }
        return attributes;
    }

    /**
     * The address of a function that takes an int and does nothing but return, safe in any context: libc's abs, as good
     * as an empty signal handler.
     */
    static long nothing() {
        return symbol("abs").address();
    }

    /** Sets a signal's handler, with SA_RESTART (signal(3)); returns the one before. */
    static long signal(int signal, long handler) {
        try (Arena arena = Arena.ofConfined()) {
            return call(symbol("signal"), newCapture(arena), signal, handler, 0, 0, 0, 0, 0);
        }
    }

    /**
     * Installs a handler that does nothing and does not restart calls, so that the signal only interrupts a wait.
     */
    static void interruptBy(int signal) {
        long sizeOfSigaction = 152;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment action = arena.allocate(sizeOfSigaction, 8);
            action.set(JAVA_LONG, 0, nothing());
            int failed = (int) call(symbol("sigaction"), newCapture(arena), signal, action.address(), 0, 0, 0, 0, 0);
            if (failed != 0) {
                throw new IllegalStateException("sigaction(" + signal + ") failed");
            }
        }
    }

    private static MemorySegment symbol(String name) {
        return LINKER.defaultLookup().findOrThrow(name);
    }

    private static long call(
            MemorySegment function, MemorySegment capture, long a, long b, long c, long d, long e, long f, long g) {
        try {
            return (long) CALL.invokeExact(function, capture, a, b, c, d, e, f, g);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static RuntimeException unexpected(Throwable e) {
        if (e instanceof RuntimeException runtime) {
            return runtime;
        }
        if (e instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(e);
    }

    /** The layout of struct iovec (readv(2)). */
    static final StructLayout IOVEC =
            MemoryLayout.structLayout(JAVA_LONG.withName("iov_base"), JAVA_LONG.withName("iov_len"));
}
