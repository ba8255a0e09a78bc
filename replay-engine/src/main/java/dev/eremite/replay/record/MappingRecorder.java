package dev.eremite.replay.record;

import dev.eremite.detcore.syscall.CallView;
import dev.eremite.detcore.syscall.Handling;
import dev.eremite.detcore.syscall.SyscallNumbers;
import dev.eremite.detcore.syscall.SyscallRow;
import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Mapping;
import dev.eremite.replay.event.Mapping.Backing;
import dev.eremite.tracer.linux.FileData;
import dev.eremite.tracer.linux.FileStatus;
import dev.eremite.tracer.linux.ProcMaps;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.Tracer;
import dev.eremite.tracer.linux.TracerException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Describes what calls do to address spaces. */
final class MappingRecorder {
    private static final int MAP_SHARED = 1;
    private static final int MAP_TYPE = 0xf;
    private static final int MAP_SHARED_VALIDATE = 3;
    private static final int MAP_ANONYMOUS = 0x20;
    private static final int PROT_WRITE = 2;
    private static final int PROT_EXEC = 4;
    private static final long WHOLE_FILE_LIMIT = 64L << 20;
    private static final long SPARSE_LIMIT = 1L << 20;
    private static final int PATH_LIMIT = 4096;
    private static final int ELF_MAGIC = 0x7f454c46;
    private static final long PAGE_MASK = -4096L;

    private static final long CHANGING_LIMIT = 16L << 20;
    private static final List<String> SYSTEM = List.of("/usr/", "/lib", "/etc/", "/opt/", "/var/cache/");
    private static final String ZERO = "/dev/zero";

    private final RecordingSink sink;
    private final SharedFiles files;
    private final ProcessorTraps traps;
    private final Map<Long, Integer> segments = new HashMap<>();
    private final Map<Long, String> opened = new HashMap<>();
    private final Set<String> whole = new HashSet<>();
    private int nextObject = 1;

    MappingRecorder(RecordingSink sink, SharedFiles files, ProcessorTraps traps) {
        this.traps = traps;
        this.files = files;
        this.sink = sink;
    }

    /**
     * Whether a call would map what is no memory and no file: a socket or a device, whose contents change by themselves. Many
     * kinds of file cannot be mapped, and then fail with ENODEV.
     */
    static boolean refuses(Tracee tracee, CallView call) {
        if (call.number() != SyscallNumbers.MMAP || (call.arg(3) & MAP_ANONYMOUS) != 0) {
            return false;
        }
        String path = "/proc/" + tracee.tid() + "/fd/" + (int) call.arg(4);
        FileStatus status = tracee.tracer().fileStatus(path);
        return status != null
                && !status.regular()
                && !ZERO.equals(tracee.tracer().linkTarget(path));
    }

    /** The effect of a call that has ended. */
    Effect effect(Tracee tracee, SyscallRow row, CallView call) {
        if (call.failed()) {
            return Effect.None.INSTANCE;
        }
        return switch (call.number()) {
            case SyscallNumbers.OPEN -> opened(tracee, call, 0);
            case SyscallNumbers.OPENAT -> opened(tracee, call, 1);
            case SyscallNumbers.MMAP -> new Effect.Map(mmap(tracee, call));
            case SyscallNumbers.SHMAT -> new Effect.Map(traps.set(tracee, shmat(tracee, call), null, 0));
            case SyscallNumbers.MPROTECT, SyscallNumbers.PKEY_MPROTECT -> protection(call);
            case SyscallNumbers.BRK, SyscallNumbers.MREMAP, SyscallNumbers.SHMDT, SyscallNumbers.RT_SIGRETURN ->
                Effect.Native.INSTANCE;
            default -> row.handling() == Handling.NATIVE ? Effect.Native.INSTANCE : files.effect(tracee.tid(), call);
        };
    }

    private Effect protection(CallView call) {
        if ((call.arg(2) & PROT_EXEC) != 0) {
            traps.unknownCode();
        }
        return Effect.Native.INSTANCE;
    }

    /**
     * Keeps by which path a file was opened: debuggers ask for libraries by the name that the loader used. Opening a file
     * may empty it, too.
     */
    private Effect opened(Tracee tracee, CallView call, int pathArgument) {
        byte[] path = tracee.memory().readString(call.arg(pathArgument), PATH_LIMIT);
        opened.put(descriptor(tracee, call.result()), new String(path, StandardCharsets.UTF_8));
        return files.effect(tracee.tid(), call);
    }

    private static long descriptor(Tracee tracee, long fd) {
        return (long) tracee.tid() << 32 | fd & 0xffffffffL;
    }

    /** Keeps a file under its real name and the one by which it was opened. */
    private String store(String name, String openedAs, Path file) {
        String blob = sink.file(name, file);
        if (openedAs.startsWith("/") && !openedAs.equals(name)) {
            sink.alias(openedAs, blob);
        }
        return blob;
    }

    private Mapping mmap(Tracee tracee, CallView call) {
        long start = call.result();
        long length = (call.arg(1) + 4095) & PAGE_MASK;
        int prot = (int) call.arg(2);
        int flags = (int) call.arg(3);
        int type = flags & MAP_TYPE;
        boolean shared = type == MAP_SHARED || type == MAP_SHARED_VALIDATE;
        if ((flags & MAP_ANONYMOUS) != 0) {
            Backing backing = shared ? new Backing.Shared(nextObject++, 0, length, "") : Backing.Anonymous.INSTANCE;
            return traps.set(tracee, new Mapping(start, length, prot, flags, backing, ""), null, 0);
        }
        int fd = (int) call.arg(4);
        String path = "/proc/" + tracee.tid() + "/fd/" + fd;
        String name = tracee.tracer().linkTarget(path);
        FileStatus status = tracee.tracer().fileStatus(path);
        if (name == null || status == null) {
            throw new TracerException("stat of a mapped file", 2);
        }
        Backing backing;
        if (name.equals(ZERO)) {
            backing = shared ? new Backing.Shared(nextObject++, 0, length, "") : Backing.Anonymous.INSTANCE;
        } else if ((shared || (prot & PROT_EXEC) == 0)
                && (shared && (prot & PROT_WRITE) != 0
                        || files.find(status) != null
                        || SharedFiles.writable(tracee.tid(), fd)
                        || mayChange(name, status) && (shared || !isProgram(path)))) {
            backing = sharedFile(tracee.tracer(), Path.of(path), status, call.arg(5), length);
        } else {
            String openedAs = opened.getOrDefault(descriptor(tracee, fd), "");
            backing = privateFile(name, openedAs, Path.of(path), status, call.arg(5), length);
        }
        Mapping mapping = new Mapping(start, length, prot, flags, backing, name);
        return traps.set(tracee, mapping, shared ? null : Path.of(path), call.arg(5));
    }

    /** Whether a file that is mapped only to be read may be written by a guest later: any that is not of the system. */
    private static boolean mayChange(String name, FileStatus status) {
        return status.regular()
                && status.size() <= CHANGING_LIMIT
                && SYSTEM.stream().noneMatch(name::startsWith);
    }

    /** Whether a file is a program or library (ELF), of which there are many, and which nobody writes while it is mapped. */
    private static boolean isProgram(String path) {
        try (RandomAccessFile file = new RandomAccessFile(path, "r")) {
            return file.length() >= Integer.BYTES && file.readInt() == ELF_MAGIC;
        } catch (IOException e) {
            return false;
        }
    }

    private Backing sharedFile(Tracer tracer, Path file, FileStatus status, long offset, long length) {
        Integer object = files.find(status);
        if (object == null) {
            object = nextObject++;
            files.add(status, object);
        }
        // Beyond a regular file's end an access fails; a device has no end.
        long size = status.regular() ? status.size() : offset + length;
        return new Backing.Shared(object, offset, size, content(tracer, file, status));
    }

    /** Keeps what a file holds; of a large one, whose end may be a hole, only so much as there is data. */
    private String content(Tracer tracer, Path file, FileStatus status) {
        if (!status.regular() || status.size() < SPARSE_LIMIT) {
            return sink.blob(file);
        }
        long end = FileData.end(tracer, file.toString(), status.size());
        return end == 0 ? "" : end == status.size() ? sink.blob(file) : sink.blobRange(file, 0, end);
    }

    private Backing privateFile(String name, String openedAs, Path file, FileStatus status, long offset, long length) {
        // The loader maps all of a library at first, and its segments then.
        if (status.size() <= WHOLE_FILE_LIMIT || length >= status.size() / 2 || whole.contains(name)) {
            whole.add(name);
            return new Backing.Blob(store(name, openedAs, file), offset);
        }
        return new Backing.Blob(sink.blobRange(file, offset, Math.clamp(status.size() - offset, 0, length)), 0);
    }

    private Mapping shmat(Tracee tracee, CallView call) {
        long start = call.result();
        ProcMaps.Entry entry = entryAt(tracee, start);
        long length = entry.end() - entry.start();
        byte[] content = tracee.memory().read(start, (int) length);
        int object = segments.computeIfAbsent(call.arg(0), k -> nextObject++);
        return new Mapping(
                start,
                length,
                entry.prot(),
                MAP_SHARED,
                new Backing.Shared(object, 0, length, sink.blob(content)),
                entry.path());
    }

    private static ProcMaps.Entry entryAt(Tracee tracee, long address) {
        for (ProcMaps.Entry entry : ProcMaps.read(tracee.tid())) {
            if (entry.start() <= address && address < entry.end()) {
                return entry;
            }
        }
        throw new IllegalStateException("no mapping at 0x" + Long.toHexString(address));
    }
}
