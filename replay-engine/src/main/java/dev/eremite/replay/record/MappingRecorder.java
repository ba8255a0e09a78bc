package dev.eremite.replay.record;

import dev.eremite.detcore.syscall.CallView;
import dev.eremite.detcore.syscall.Handling;
import dev.eremite.detcore.syscall.SyscallRow;
import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Mapping;
import dev.eremite.replay.event.Mapping.Backing;
import dev.eremite.tracer.linux.ProcMaps;
import dev.eremite.tracer.linux.Tracee;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Describes what calls do to address spaces. */
final class MappingRecorder {
    private static final int MAP_SHARED = 1;
    private static final int MAP_TYPE = 0xf;
    private static final int MAP_SHARED_VALIDATE = 3;
    private static final int MAP_ANONYMOUS = 0x20;
    private static final int PROT_WRITE = 2;
    private static final long WHOLE_FILE_LIMIT = 64L << 20;
    private static final int PATH_LIMIT = 4096;
    private static final long PAGE_MASK = -4096L;

    private final RecordingSink sink;
    private final Map<Object, Integer> objects = new HashMap<>();
    private final Map<Long, String> opened = new HashMap<>();
    private int nextObject = 1;

    MappingRecorder(RecordingSink sink) {
        this.sink = sink;
    }

    /** The effect of a call that has ended. */
    Effect effect(Tracee tracee, SyscallRow row, CallView call) {
        if (call.failed()) {
            return Effect.None.INSTANCE;
        }
        return switch (call.number()) {
            case CallNumbers.OPEN -> opened(tracee, call, 0);
            case CallNumbers.OPENAT -> opened(tracee, call, 1);
            case CallNumbers.MMAP -> new Effect.Map(mmap(tracee, call));
            case CallNumbers.SHMAT -> new Effect.Map(shmat(tracee, call));
            case CallNumbers.BRK, CallNumbers.MREMAP, CallNumbers.SHMDT, CallNumbers.RT_SIGRETURN ->
                Effect.Native.INSTANCE;
            default -> row.handling() == Handling.NATIVE ? Effect.Native.INSTANCE : Effect.None.INSTANCE;
        };
    }

    /** Keeps by which path a file was opened: debuggers ask for libraries by the name that the loader used. */
    private Effect opened(Tracee tracee, CallView call, int pathArgument) {
        byte[] path = tracee.memory().readString(call.arg(pathArgument), PATH_LIMIT);
        opened.put(descriptor(tracee, call.result()), new String(path, StandardCharsets.UTF_8));
        return Effect.None.INSTANCE;
    }

    private static long descriptor(Tracee tracee, long fd) {
        return (long) tracee.tid() << 32 | fd & 0xffffffffL;
    }

    private String store(Tracee tracee, CallView call, Path file, ProcMaps.Entry entry) {
        String blob = sink.file(entry.path(), file);
        String name = opened.getOrDefault(descriptor(tracee, (int) call.arg(4)), "");
        if (name.startsWith("/") && !name.equals(entry.path())) {
            sink.alias(name, blob);
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
            Backing backing =
                    shared ? new Backing.Shared(nextObject++, 0, length, "") : Backing.Anonymous.INSTANCE;
            return new Mapping(start, length, prot, flags, backing, "");
        }
        ProcMaps.Entry entry = entryAt(tracee, start);
        Path file = Path.of("/proc/" + tracee.tid() + "/fd/" + (int) call.arg(4));
        Backing backing = fileBacking(tracee, call, file, length, shared, entry);
        return new Mapping(start, length, prot, flags, backing, entry.path());
    }

    private Backing fileBacking(
            Tracee tracee, CallView call, Path file, long length, boolean shared, ProcMaps.Entry entry) {
        long offset = call.arg(5);
        int prot = (int) call.arg(2);
        if (entry.path().equals("/dev/zero") && !shared) {
            return Backing.Anonymous.INSTANCE;
        }
        long size;
        try {
            size = Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        boolean known = objects.containsKey(entry.device() + ":" + entry.inode());
        if (shared && ((prot & PROT_WRITE) != 0 || known || entry.shared() && writable(file))) {
            int object = objects.computeIfAbsent(entry.device() + ":" + entry.inode(), k -> nextObject++);
            return new Backing.Shared(object, offset, Math.max(size, offset + length), sink.blob(file));
        }
        if (size <= WHOLE_FILE_LIMIT) {
            return new Backing.Blob(store(tracee, call, file, entry), offset);
        }
        return new Backing.Blob(sink.blobRange(file, offset, Math.min(length, Math.max(0, size - offset))), 0);
    }

    /** Whether the descriptor behind the link is open for writing: then the mapping can be made writable later. */
    private static boolean writable(Path file) {
        int accessModeMask = 3;
        Path info = Path.of(file.toString().replace("/fd/", "/fdinfo/"));
        try {
            for (String line : Files.readAllLines(info)) {
                if (line.startsWith("flags:")) {
                    return (Integer.parseInt(line.substring(6).strip(), 8) & accessModeMask) != 0;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return true;
    }

    private Mapping shmat(Tracee tracee, CallView call) {
        long start = call.result();
        ProcMaps.Entry entry = entryAt(tracee, start);
        long length = entry.end() - entry.start();
        byte[] content = tracee.memory().read(start, (int) length);
        int object = objects.computeIfAbsent("shm:" + call.arg(0), k -> nextObject++);
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
