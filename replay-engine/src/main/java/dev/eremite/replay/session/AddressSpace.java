package dev.eremite.replay.session;

import dev.eremite.detcore.syscall.SyscallNumbers;
import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Mapping;
import dev.eremite.replay.event.Mapping.Backing;
import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.replay.guest.TrappedInstruction;
import dev.eremite.tracer.linux.EnginePage;
import dev.eremite.tracer.linux.ProcMaps;
import dev.eremite.tracer.linux.Sys;
import dev.eremite.tracer.linux.Tracee;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Builds and changes guest address spaces as the log tells, by system calls injected into the guest. */
final class AddressSpace {
    private static final int PAGE = 4096;
    private static final int MAP_SHARED = 1;
    private static final int MAP_PRIVATE = 2;
    private static final int MAP_TYPE = 0xf;
    private static final int MAP_FIXED = 0x10;
    private static final int MAP_ANONYMOUS = 0x20;
    private static final int MAP_GROWSDOWN = 0x100;
    private static final int MAP_NORESERVE = 0x4000;
    private static final int O_CLOEXEC = 0x80000;
    private static final int O_RDWR = 2;
    private static final int PR_SET_TSC = 26;
    private static final int PR_TSC_SIGSEGV = 2;
    private static final int ARCH_SET_CPUID = 0x1012;
    private static final int MADV_DONTFORK = 10;
    private static final int MREMAP_MAYMOVE = 1;
    private static final int MREMAP_FIXED = 2;
    private static final int PROT_READ_WRITE = 3;

    private final RecordingSource source;

    AddressSpace(RecordingSource source) {
        this.source = source;
    }

    /** Fills the address space of a fresh stub with a program image, up to its first instruction. */
    void load(Tracee stub, Effect.ExecImage image) {
        stub.mapEngineData();
        stub.inject(Sys.PRCTL, 1, 0);
        ignoreChildren(stub);
        for (ProcMaps.Entry entry : ProcMaps.read(stub.tid())) {
            if (!EnginePage.contains(entry.start()) && !entry.path().equals("[vsyscall]")) {
                check(stub.inject(Sys.MUNMAP, entry.start(), entry.end() - entry.start()), "munmap");
            }
        }
        Map<String, Long> open = new HashMap<>();
        for (Mapping mapping : image.mappings()) {
            if (mapping.backing() instanceof Backing.Blob blob) {
                long fd = open.computeIfAbsent(
                        blob.blob(), sha -> openFile(stub, source.blob(sha).toString(), 0));
                mapFile(stub, mapping, MAP_PRIVATE, fd, blob.offset());
            } else if ((mapping.flags() & MAP_GROWSDOWN) != 0) {
                mapAnonymous(stub, StackGrowth.atFirst(stub, mapping, image.contents()));
            } else {
                mapAnonymous(stub, mapping);
            }
        }
        open.values().forEach(fd -> stub.inject(Sys.CLOSE, fd));
        for (MemoryWrite write : image.contents()) {
            stub.memory().write(write.address(), write.bytes());
        }
        image.mappings().forEach(mapping -> setTraps(stub, mapping));
        stub.inject(Sys.ARCH_PRCTL, ARCH_SET_CPUID, 0);
        FloatingPoint.reset(stub);
        stub.setRegisters(image.registers());
        stub.orphanCall();
    }

    private static void setTraps(Tracee tracee, Mapping mapping) {
        TrappedInstruction.replace(tracee.memory(), mapping.start(), mapping.traps());
    }

    /** Makes RDTSC and RDTSCP fault in all threads of a process. */
    void trapClock(Collection<ReplayTask> tasks, ReplayProcess process) {
        for (ReplayTask task : tasks) {
            if (task.process() == process) {
                check(task.tracee().inject(Sys.PRCTL, PR_SET_TSC, PR_TSC_SIGSEGV), "prctl(PR_SET_TSC)");
            }
        }
    }

    /** Children of this process are reaped by the kernel, without a signal. */
    private static void ignoreChildren(Tracee stub) {
        int sigchld = 17;
        byte[] action = new byte[32];
        action[0] = 1; // SIG_IGN
        stub.memory().write(EnginePage.DATA, action);
        check(stub.inject(SyscallNumbers.RT_SIGACTION, sigchld, EnginePage.DATA, 0, 8), "rt_sigaction");
    }

    private static long openFile(Tracee tracee, String path, int flags) {
        byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
        tracee.memory().write(EnginePage.DATA, Arrays.copyOf(bytes, bytes.length + 1));
        return check(tracee.inject(Sys.OPEN, EnginePage.DATA, flags | O_CLOEXEC, 0), "open of " + path);
    }

    private static void mapFile(Tracee tracee, Mapping mapping, int type, long fd, long offset) {
        check(
                tracee.inject(
                        Sys.MMAP,
                        mapping.start(),
                        mapping.length(),
                        mapping.prot(),
                        type | MAP_FIXED | MAP_NORESERVE,
                        fd,
                        offset),
                "mmap");
    }

    private static void mapAnonymous(Tracee tracee, Mapping mapping) {
        check(
                tracee.inject(
                        Sys.MMAP,
                        mapping.start(),
                        mapping.length(),
                        mapping.prot(),
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE | mapping.flags() & MAP_GROWSDOWN,
                        -1,
                        0),
                "mmap");
    }

    /** Repeats a mapping that a call has made. */
    void map(ReplayTask task, Mapping mapping, SharedObjects objects, boolean segment) {
        Tracee tracee = task.tracee();
        task.process().forgetTraps(mapping.start(), mapping.length());
        switch (mapping.backing()) {
            case Backing.Anonymous anonymous -> mapAnonymous(tracee, mapping);
            case Backing.Blob blob -> {
                long fd = openFile(tracee, source.blob(blob.blob()).toString(), 0);
                mapFile(tracee, mapping, MAP_PRIVATE, fd, blob.offset());
                tracee.inject(Sys.CLOSE, fd);
            }
            case Backing.Shared shared -> {
                boolean own = (mapping.flags() & MAP_TYPE) == MAP_PRIVATE;
                mapObject(tracee, mapping, own ? MAP_PRIVATE : MAP_SHARED, objects.path(shared), shared.offset());
                if (!own) {
                    task.process().shared().put(mapping.start(), mapping);
                }
                if (segment) {
                    task.process().segments().put(mapping.start(), mapping.length());
                }
            }
        }
        setTraps(tracee, mapping);
        task.process().mapped(mapping);
    }

    private static void mapObject(Tracee tracee, Mapping mapping, int type, String path, long offset) {
        long fd = openFile(tracee, path, O_RDWR);
        mapFile(tracee, mapping, type, fd, offset);
        tracee.inject(Sys.CLOSE, fd);
    }

    /** Points the shared mappings of a copied process to the copied objects. */
    static void remapShared(Tracee tracee, SharedObjects from, SharedObjects to) {
        for (ProcMaps.Entry entry : ProcMaps.read(tracee.tid())) {
            int mark = entry.path().indexOf("eremite-shared-");
            if (entry.shared() && mark >= 0) {
                String digits = entry.path().substring(mark + 15).split("\\D")[0];
                Mapping mapping = new Mapping(
                        entry.start(),
                        entry.end() - entry.start(),
                        entry.prot(),
                        MAP_SHARED,
                        Backing.Anonymous.INSTANCE,
                        "");
                mapObject(tracee, mapping, MAP_SHARED, to.existing(Integer.parseInt(digits)), entry.offset());
            }
        }
    }

    /** Runs a call that changes only the address space again, and compares its result. */
    long repeat(ReplayTask task, int number, long[] args, long result) {
        Tracee tracee = task.tracee();
        return switch (number) {
            case SyscallNumbers.BRK -> brk(task, result);
            case SyscallNumbers.MREMAP ->
                tracee.inject(
                        Sys.MREMAP,
                        args[0],
                        args[1],
                        args[2],
                        result == args[0] ? 0 : args[3] | MREMAP_MAYMOVE | MREMAP_FIXED,
                        result);
            case SyscallNumbers.SHMDT -> {
                Long length = task.process().segments().remove(args[0]);
                yield length == null ? result : tracee.inject(Sys.MUNMAP, args[0], length);
            }
            case SyscallNumbers.MADVISE -> args[2] == MADV_DONTFORK ? result : tracee.inject(number, args);
            default -> tracee.inject(number, args);
        };
    }

    private static long brk(ReplayTask task, long result) {
        long old = (task.process().brk() + PAGE - 1) & -PAGE;
        long wanted = (result + PAGE - 1) & -PAGE;
        task.process().brk(result);
        if (wanted > old) {
            Mapping heap = new Mapping(old, wanted - old, PROT_READ_WRITE, 0, Backing.Anonymous.INSTANCE, "[heap]");
            mapAnonymous(task.tracee(), heap);
        } else if (wanted < old) {
            check(task.tracee().inject(Sys.MUNMAP, wanted, old - wanted), "munmap");
        }
        return result;
    }

    private static long check(long result, String what) {
        if (result < 0 && result > -4096) {
            throw new dev.eremite.tracer.linux.TracerException(what + " in replay", (int) -result);
        }
        return result;
    }

    static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
