package dev.eremite.replay.record;

import dev.eremite.detcore.syscall.CallView;
import dev.eremite.detcore.syscall.SyscallNumbers;
import dev.eremite.replay.event.Effect;
import dev.eremite.tracer.linux.FileStatus;
import dev.eremite.tracer.linux.Tracer;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The files that guests have mapped shared. Whatever changes such a file must show in those mappings in replay too. */
final class SharedFiles {
    private static final int O_TRUNC = 01000;
    private static final int O_APPEND = 02000;
    private static final int FALLOC_FL_COLLAPSE_RANGE = 0x08;
    private static final int FALLOC_FL_INSERT_RANGE = 0x20;
    private static final int O_NONBLOCK = 04000;

    /**
     * What an open descriptor is like, as /proc/PID/fdinfo/N tells.
     *
     * @param position the file offset in bytes
     * @param flags as open(2) takes them
     */
    private record Descriptor(long position, int flags) {}

    private final Tracer tracer;
    private final Map<Key, Integer> objects = new HashMap<>();

    /** Identifies a file for as long as somebody has it mapped or open. */
    private record Key(long device, long inode) {}

    SharedFiles(Tracer tracer) {
        this.tracer = tracer;
    }

    private static Key key(FileStatus status) {
        return new Key(status.device(), status.inode());
    }

    /** The number of a file's object, or null when it has none. */
    Integer find(FileStatus status) {
        return objects.get(key(status));
    }

    /** Gives a file a number. */
    void add(FileStatus status, int object) {
        objects.put(key(status), object);
    }

    /** What a call that has succeeded did to a file that is mapped shared. */
    Effect effect(int tid, CallView call) {
        if (objects.isEmpty()) {
            return Effect.None.INSTANCE;
        }
        return switch (call.number()) {
            case SyscallNumbers.WRITE, SyscallNumbers.WRITEV, SyscallNumbers.SENDFILE ->
                stored(tid, (int) call.arg(0), -1, call.result());
            case SyscallNumbers.PWRITE64, SyscallNumbers.PWRITEV, SyscallNumbers.PWRITEV2 ->
                stored(tid, (int) call.arg(0), call.arg(3), call.result());
            case SyscallNumbers.SPLICE, SyscallNumbers.COPY_FILE_RANGE -> {
                long end = call.arg(3) == 0 ? 0 : call.readLong(call.arg(3));
                yield stored(tid, (int) call.arg(2), end == 0 ? -1 : end - call.result(), call.result());
            }
            case SyscallNumbers.FALLOCATE ->
                stored(tid, (int) call.arg(0), call.arg(2), movesTheRest(call.arg(1)) ? Long.MAX_VALUE : call.arg(3));
            case SyscallNumbers.FTRUNCATE -> stored(tid, (int) call.arg(0), 0, 0);
            case SyscallNumbers.TRUNCATE -> resized(tid, call.arg(0), call);
            case SyscallNumbers.OPEN -> truncated(tid, call, call.arg(1));
            case SyscallNumbers.OPENAT -> truncated(tid, call, call.arg(2));
            case SyscallNumbers.OPENAT2 -> truncated(tid, call, call.readLong(call.arg(2)));
            case SyscallNumbers.CREAT -> truncated(tid, call, O_TRUNC);
            default -> Effect.None.INSTANCE;
        };
    }

    /** Whether fallocate(2) moves all that lies behind its range. */
    private static boolean movesTheRest(long mode) {
        return (mode & (FALLOC_FL_COLLAPSE_RANGE | FALLOC_FL_INSERT_RANGE)) != 0;
    }

    private Effect truncated(int tid, CallView call, long flags) {
        return (flags & O_TRUNC) == 0 ? Effect.None.INSTANCE : stored(tid, (int) call.result(), 0, 0);
    }

    private Effect resized(int tid, long path, CallView call) {
        byte[] bytes = call.read(path, 4096);
        int length = 0;
        while (length < bytes.length && bytes[length] != 0) {
            length++;
        }
        String name = new String(bytes, 0, length, java.nio.charset.StandardCharsets.UTF_8);
        String base = name.startsWith("/") ? "/proc/" + tid + "/root" : "/proc/" + tid + "/cwd/";
        return stored(base + name, 0, 0);
    }

    /** Describes a change by a descriptor; a negative offset stands for what lies before the descriptor's position. */
    private Effect stored(int tid, int fd, long offset, long length) {
        String path = "/proc/" + tid + "/fd/" + fd;
        FileStatus status = tracer.fileStatus(path);
        if (status == null || find(status) == null) {
            return Effect.None.INSTANCE;
        }
        long from = offset;
        if (length > 0) {
            Descriptor descriptor = descriptor(tid, fd);
            if (offset < 0) {
                from = descriptor.position() - length;
            } else if ((descriptor.flags() & O_APPEND) != 0) {
                from = status.size() - length;
            }
        }
        return stored(path, from, length);
    }

    private Effect stored(String path, long from, long length) {
        FileStatus status = tracer.fileStatus(path);
        Integer object = status == null ? null : find(status);
        if (object == null) {
            return Effect.None.INSTANCE;
        }
        byte[] bytes = new byte[(int) Math.clamp(status.size() - from, 0, Math.min(length, Integer.MAX_VALUE - 8))];
        int done = 0;
        if (bytes.length > 0) {
            try (RandomAccessFile file = new RandomAccessFile(path, "r")) {
                file.seek(from);
                int got;
                while (done < bytes.length && (got = file.read(bytes, done, bytes.length - done)) > 0) {
                    done += got;
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return new Effect.Store(object, status.size(), from, Arrays.copyOf(bytes, done));
    }

    private static Descriptor descriptor(int tid, int fd) {
        long position = 0;
        int flags = 0;
        try {
            for (String line : Files.readAllLines(Path.of("/proc/" + tid + "/fdinfo/" + fd))) {
                if (line.startsWith("pos:")) {
                    position = Long.parseLong(line.substring(4).strip());
                } else if (line.startsWith("flags:")) {
                    flags = Integer.parseInt(line.substring(6).strip(), 8);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Descriptor(position, flags);
    }

    /** The file offset of a descriptor in bytes. */
    static long position(int tid, int fd) {
        return descriptor(tid, fd).position();
    }

    /** Whether calls on a descriptor do not wait. */
    static boolean nonblocking(int tid, int fd) {
        return (descriptor(tid, fd).flags() & O_NONBLOCK) != 0;
    }

    /** Whether a descriptor is open for writing. */
    static boolean writable(int tid, int fd) {
        int accessModeMask = 3;
        return (descriptor(tid, fd).flags() & accessModeMask) != 0;
    }
}
