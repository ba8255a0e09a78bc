package dev.eremite.tracer.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
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
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO_FIELD = CAPTURE.varHandle(PathElement.groupElement("errno"));

    private static final MethodHandle PTRACE = bind(
            "ptrace",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG),
            ERRNO,
            Linker.Option.firstVariadicArg(1));
    private static final MethodHandle WAITPID =
            bind("waitpid", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT), ERRNO);
    private static final MethodHandle VM_READV = bind(
            "process_vm_readv",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
            ERRNO);
    private static final MethodHandle VM_WRITEV = bind(
            "process_vm_writev",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
            ERRNO);
    private static final MethodHandle SYSCALL = bind(
            "syscall",
            FunctionDescriptor.of(
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
            ERRNO,
            Linker.Option.firstVariadicArg(1));
    private static final MethodHandle POSIX_SPAWN = bind(
            "posix_spawn",
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle SPAWNATTR_INIT =
            bind("posix_spawnattr_init", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private static final MethodHandle SPAWNATTR_SETFLAGS = bind(
            "posix_spawnattr_setflags",
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, java.lang.foreign.ValueLayout.JAVA_SHORT));
    private static final MethodHandle SPAWNATTR_SETSIGMASK =
            bind("posix_spawnattr_setsigmask", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle SIGACTION =
            bind("sigaction", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));

    private Libc() {}

    /** A segment to capture errno in. */
    static MemorySegment newCapture(Arena arena) {
        return arena.allocate(CAPTURE);
    }

    /** The errno of the failed call that captured into the segment. */
    static int errno(MemorySegment capture) {
        return (int) ERRNO_FIELD.get(capture, 0L);
    }

    static long ptrace(MemorySegment capture, int request, int tid, long address, long data) {
        try {
            return (long) PTRACE.invokeExact(capture, request, tid, address, data);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int waitpid(MemorySegment capture, int tid, long status, int options) {
        try {
            return (int) WAITPID.invokeExact(capture, tid, status, options);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static long processVmReadv(MemorySegment capture, int tid, long local, long remote) {
        try {
            return (long) VM_READV.invokeExact(capture, tid, local, 1L, remote, 1L, 0L);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static long processVmWritev(MemorySegment capture, int tid, long local, long remote) {
        try {
            return (long) VM_WRITEV.invokeExact(capture, tid, local, 1L, remote, 1L, 0L);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** A system call by number, for those that need no wrapper. Returns −1 on failure. */
    static long syscall(MemorySegment capture, long number, long a, long b, long c, long d, long e, long f) {
        try {
            return (long) SYSCALL.invokeExact(capture, number, a, b, c, d, e, f);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int posixSpawn(long pid, long path, long attributes, long argv, long envp) {
        try {
            return (int) POSIX_SPAWN.invokeExact(pid, path, 0L, attributes, argv, envp);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Prepares spawn attributes that give the child an empty signal mask. */
    static MemorySegment spawnAttributes(Arena arena) {
        MemorySegment attributes = arena.allocate(512, 16);
        MemorySegment mask = arena.allocate(128, 16);
        short setSigMask = 0x08;
        try {
            int init = (int) SPAWNATTR_INIT.invokeExact(attributes.address());
            int flags = (int) SPAWNATTR_SETFLAGS.invokeExact(attributes.address(), setSigMask);
            int sigmask = (int) SPAWNATTR_SETSIGMASK.invokeExact(attributes.address(), mask.address());
            if ((init | flags | sigmask) != 0) {
                throw new IllegalStateException("posix_spawnattr: " + (init | flags | sigmask));
            }
        } catch (Throwable e) {
            throw unexpected(e);
        }
        return attributes;
    }

    /**
     * Installs a handler that does nothing and does not restart calls, so that the signal only interrupts a wait. The
     * handler is libc's abs: a pure function of its int argument, safe in any context.
     */
    static void interruptBy(int signal) {
        long sizeOfSigaction = 152;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment action = arena.allocate(sizeOfSigaction, 8);
            action.set(ADDRESS, 0, LINKER.defaultLookup().findOrThrow("abs"));
            int failed = (int) SIGACTION.invokeExact(signal, action.address(), 0L);
            if (failed != 0) {
                throw new IllegalStateException("sigaction(" + signal + ") failed");
            }
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static MethodHandle bind(String symbol, FunctionDescriptor type, Linker.Option... options) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(symbol), type, options);
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
