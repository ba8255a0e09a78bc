package dev.eremite.replay.record;

import dev.eremite.detcore.ErrorCode;
import dev.eremite.tracer.linux.EnginePage;
import dev.eremite.tracer.linux.ProcMaps;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.SeccompFilter;
import dev.eremite.tracer.linux.Sys;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.Tracer;
import dev.eremite.tracer.linux.TracerException;
import dev.eremite.tracer.linux.WaitStatus;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedSet;

/** Turns the paused stub into the guest program by system calls injected into it. */
final class GuestLauncher {
    private static final int ADDR_NO_RANDOMIZE = 0x0040000;
    private static final int PR_SET_PDEATHSIG = 1;
    private static final int PR_SET_NO_NEW_PRIVS = 38;
    private static final int ARCH_SET_CPUID = 0x1012;
    private static final int SECCOMP_SET_MODE_FILTER = 1;
    private static final int SECCOMP_FILTER_FLAG_SPEC_ALLOW = 4;
    private static final int EACCES = 13;
    private static final int SYSCALL_LENGTH = 2;

    private final Tracer tracer;
    private final Tracee stub;

    private GuestLauncher(Tracer tracer, Tracee stub) {
        this.tracer = tracer;
        this.stub = stub;
    }

    /**
     * Executes the program in the stub and waits until the kernel has loaded it.
     *
     * @return null, or the errno of execve
     */
    static Integer execute(Tracer tracer, Tracee stub, RecordOptions options, SortedSet<Integer> passed) {
        GuestLauncher launcher = new GuestLauncher(tracer, stub);
        launcher.prepare(options, passed);
        return launcher.exec(options);
    }

    private void prepare(RecordOptions options, SortedSet<Integer> passed) {
        check(stub.inject(Sys.PERSONALITY, ADDR_NO_RANDOMIZE), "personality");
        check(stub.inject(Sys.CHDIR, string(EnginePage.DATA, options.directory())), "chdir to " + options.directory());
        check(stub.inject(Sys.PRCTL, PR_SET_PDEATHSIG, 0), "prctl(PR_SET_PDEATHSIG)");
        closeAllBut(options.descriptors());
        byte[] filter = SeccompFilter.build(passed);
        ByteBuffer program = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        program.putLong(filter.length / 8).putLong(EnginePage.DATA + 16);
        stub.memory().write(EnginePage.DATA, program.array());
        stub.memory().write(EnginePage.DATA + 16, filter);
        long installed = installFilter();
        if (installed == -EACCES) {
            check(stub.inject(Sys.PRCTL, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl(PR_SET_NO_NEW_PRIVS)");
            installed = installFilter();
        }
        check(installed, "seccomp");
    }

    /** The JVM's own files are not closed at execve(2): jars, the class library, the log. */
    private void closeAllBut(SortedSet<Integer> descriptors) {
        int from = 0;
        for (int kept : descriptors) {
            if (kept > from) {
                check(stub.inject(Sys.CLOSE_RANGE, from, kept - 1, 0), "close_range");
            }
            from = kept + 1;
        }
        check(stub.inject(Sys.CLOSE_RANGE, from, 0xffffffffL, 0), "close_range");
    }

    private long installFilter() {
        return stub.inject(Sys.SECCOMP, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, EnginePage.DATA);
    }

    private Integer exec(RecordOptions options) {
        long path = EnginePage.DATA;
        long next = string(path, options.program());
        long[] cursor = {path + options.program().getBytes(StandardCharsets.UTF_8).length + 1};
        long vectors = EnginePage.DATA;
        byte[] block = argumentBlock(options, cursor[0]);
        if (block.length + 4096 > EnginePage.DATA_LENGTH) {
            vectors = stub.inject(Sys.MMAP, 0, (block.length + 0x2000L) & ~0xfffL, 3, 0x22, -1, 0);
            check(vectors, "mmap for the arguments");
            block = argumentBlock(options, vectors);
            stub.memory().write(vectors, block);
            cursor[0] = vectors;
        } else {
            stub.memory().write(cursor[0], block);
        }
        long argv = cursor[0];
        long envp = argv + 8L * (options.argv().size() + 1);
        return runExec(next, argv, envp);
    }

    /** argv and envp pointer arrays followed by their strings, for a block at the given address. */
    private static byte[] argumentBlock(RecordOptions options, long address) {
        List<byte[]> argv = options.argv();
        List<byte[]> envp = options.environment();
        int pointers = 8 * (argv.size() + 1 + envp.size() + 1);
        ByteArrayOutputStream strings = new ByteArrayOutputStream();
        ByteBuffer table = ByteBuffer.allocate(pointers).order(ByteOrder.LITTLE_ENDIAN);
        for (List<byte[]> list : List.of(argv, envp)) {
            for (byte[] text : list) {
                table.putLong(address + pointers + strings.size());
                strings.writeBytes(text);
                strings.write(0);
            }
            table.putLong(0);
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(table.array());
        all.writeBytes(strings.toByteArray());
        return all.toByteArray();
    }

    private Integer runExec(long path, long argv, long envp) {
        long[] regs = stub.registers();
        regs[Reg.RIP] = EnginePage.SYSCALL;
        regs[Reg.RAX] = Sys.EXECVE;
        regs[Reg.ORIG_RAX] = -1;
        regs[Reg.RDI] = path;
        regs[Reg.RSI] = argv;
        regs[Reg.RDX] = envp;
        stub.setRegisters(regs);
        stub.resume(Tracee.Resume.CONTINUE, 0);
        WaitStatus stop = tracer.waitFor(stub);
        while (stop.signalStop() && stub.register(Reg.RIP) != EnginePage.SYSCALL + SYSCALL_LENGTH + 1) {
            // The user's, who has changed his mind: it is for the program.
            stub.heldSignals().add(new Tracee.HeldSignal(stop.signal(), stub.siginfo()));
            stub.resume(Tracee.Resume.CONTINUE, 0);
            stop = tracer.waitFor(stub);
        }
        if (stop.event() == WaitStatus.EVENT_EXEC) {
            stub.resume(Tracee.Resume.SYSCALL, 0);
            stop = tracer.waitFor(stub);
            if (stop.syscallStop()) {
                return null;
            }
        }
        if (stop.ended()) {
            throw new TracerException("the program was killed while it was loaded", 0);
        }
        return (int) -stub.register(Reg.RAX);
    }

    private long string(long address, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        stub.memory().write(address, java.util.Arrays.copyOf(bytes, bytes.length + 1));
        return address;
    }

    /**
     * Completes the address space of a program that the kernel has just loaded: the engine's pages are mapped, the vDSO is
     * gone from memory and from the auxiliary vector, CPUID faults where the processor can do that.
     */
    static void adopt(Tracee tracee) {
        for (ProcMaps.Entry e : ProcMaps.read(tracee.tid())) {
            if (e.start() < EnginePage.BUFFERS_END && e.end() > EnginePage.CODE) {
                throw new UnsupportedProgramException(
                        ErrorCode.PROGRAM_LAYOUT,
                        String.format(
                                "a program that is loaded at 0x%x, where Eremite has its own pages, cannot be recorded",
                                e.start()));
            }
        }
        long entry = tracee.register(Reg.RIP);
        byte[] original = tracee.memory().readFully(entry, 3);
        tracee.memory().write(entry, new byte[] {0x0f, 0x05, (byte) 0xcc});
        int fixedPrivateAnonymous = 0x32;
        check(
                tracee.injectAt(entry, Sys.MMAP, EnginePage.CODE, 0x1000, 5, fixedPrivateAnonymous, -1, 0),
                "mapping the engine page");
        tracee.memory().write(entry, original);
        tracee.memory().write(EnginePage.CODE, EnginePage.image());
        tracee.mapEngineData();
        for (ProcMaps.Entry e : ProcMaps.read(tracee.tid())) {
            if (e.path().startsWith("[vvar") || e.path().equals("[vdso]")) {
                check(tracee.inject(Sys.MUNMAP, e.start(), e.end() - e.start()), "unmapping the vDSO");
            }
        }
        // ENODEV: the processor cannot do it; the doctor verb tells what that costs.
        tracee.inject(Sys.ARCH_PRCTL, ARCH_SET_CPUID, 0);
    }

    private static void check(long result, String what) {
        if (result < 0 && result > -4096) {
            throw new TracerException(what, (int) -result);
        }
    }
}
