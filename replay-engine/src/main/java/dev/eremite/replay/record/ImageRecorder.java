package dev.eremite.replay.record;

import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Mapping;
import dev.eremite.replay.event.Mapping.Backing;
import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.tracer.linux.EnginePage;
import dev.eremite.tracer.linux.FileStatus;
import dev.eremite.tracer.linux.ProcMaps;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Sys;
import dev.eremite.tracer.linux.Tracee;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Takes the picture of an address space as execve(2) left it. */
final class ImageRecorder {
    private static final int PAGE = 4096;
    private static final int PROT_WRITE = 2;
    private static final int MAP_PRIVATE_FIXED = 0x12;
    private static final int MAP_ANONYMOUS = 0x20;
    private static final int MAP_GROWSDOWN = 0x100;
    private static final long AT_SYSINFO_EHDR = 33;
    private static final long AT_IGNORE = 1;
    private static final long STACK_CAP = 1L << 30;

    private final RecordingSink sink;
    private final ProcessorTraps traps;
    private final List<Mapping> mappings = new ArrayList<>();
    private final Map<String, String> names = new HashMap<>();
    private final List<MemoryWrite> contents = new ArrayList<>();

    private ImageRecorder(RecordingSink sink, ProcessorTraps traps) {
        this.sink = sink;
        this.traps = traps;
    }

    /** Takes the picture of a task that stands at its first instruction, the vDSO hidden and the engine's pages mapped. */
    static Effect.ExecImage capture(Tracee tracee, RecordingSink sink, ProcessorTraps traps) {
        ImageRecorder recorder = new ImageRecorder(sink, traps);
        byte[] auxv = hideVdso(tracee);
        List<ProcMaps.Entry> entries = ProcMaps.read(tracee.tid());
        for (ProcMaps.Entry entry : entries) {
            if (!EnginePage.contains(entry.start()) && !entry.path().equals("[vsyscall]")) {
                recorder.add(tracee, entry, entries);
            }
        }
        String path;
        try {
            path = Files.readSymbolicLink(Path.of("/proc/" + tracee.tid() + "/exe"))
                    .toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        recorder.nameInterpreter(path);
        long brk = tracee.inject(Sys.BRK, 0);
        long[] registers = tracee.registers();
        return new Effect.ExecImage(path, recorder.mappings, recorder.contents, registers, auxv, brk);
    }

    /** Notes the loader under the name that the program gives it (ELF PT_INTERP), which is often a symbolic link. */
    private void nameInterpreter(String program) {
        int programHeader = 56;
        int ptInterp = 3;
        try (RandomAccessFile file = new RandomAccessFile(program, "r")) {
            byte[] head = new byte[(int) Math.min(file.length(), 2 * PAGE)];
            file.readFully(head);
            ByteBuffer elf = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
            int at = (int) elf.getLong(32);
            for (int i = 0; i < elf.getShort(56); i++, at += programHeader) {
                if (elf.getInt(at) == ptInterp) {
                    byte[] name = new byte[(int) elf.getLong(at + 32) - 1];
                    file.seek(elf.getLong(at + 8));
                    file.readFully(name);
                    String path = new String(name, StandardCharsets.UTF_8);
                    String blob = names.get(Path.of(path).toRealPath().toString());
                    if (blob != null) {
                        sink.alias(path, blob);
                    }
                }
            }
        } catch (IOException | RuntimeException e) {
            // Only a name for debuggers is missing: the program was replaced meanwhile, or has unusual headers.
            names.clear();
        }
    }

    private void add(Tracee tracee, ProcMaps.Entry entry, List<ProcMaps.Entry> all) {
        if (entry.inode() != 0) {
            addFile(tracee, entry);
            return;
        }
        boolean stack = entry.path().equals("[stack]");
        long start = stack ? stackBottom(tracee, entry, all) : entry.start();
        int flags = MAP_PRIVATE_FIXED | MAP_ANONYMOUS | (stack ? MAP_GROWSDOWN : 0);
        Mapping mapping =
                new Mapping(start, entry.end() - start, entry.prot(), flags, Backing.Anonymous.INSTANCE, entry.path());
        mappings.add(traps.set(tracee, mapping, null, 0));
        addPages(tracee, entry, new byte[0]);
    }

    /** The lowest address that the stack may grow to (RLIMIT_STACK). */
    private static long stackBottom(Tracee tracee, ProcMaps.Entry stack, List<ProcMaps.Entry> all) {
        long limit = 8L << 20;
        try {
            for (String line : Files.readAllLines(Path.of("/proc/" + tracee.tid() + "/limits"))) {
                if (line.startsWith("Max stack size")) {
                    String soft = line.substring(26).strip().split(" +")[0];
                    limit = soft.equals("unlimited") ? STACK_CAP : Math.min(Long.parseLong(soft), STACK_CAP);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        long floor = all.stream()
                .mapToLong(ProcMaps.Entry::end)
                .filter(end -> end <= stack.start())
                .max()
                .orElse(0);
        return Math.min(stack.start(), Math.max(floor + (1 << 20), (stack.end() - limit) & -PAGE));
    }

    private void addFile(Tracee tracee, ProcMaps.Entry entry) {
        Path file = file(tracee, entry.path());
        Backing backing;
        if (file != null) {
            String blob = sink.file(entry.path(), file);
            names.put(entry.path(), blob);
            backing = new Backing.Blob(blob, entry.offset());
        } else {
            // The file has no name any more; what is mapped is all that is needed.
            byte[] content = tracee.memory().read(entry.start(), (int) (entry.end() - entry.start()));
            backing = new Backing.Blob(sink.blob(content), 0);
        }
        Mapping mapping = new Mapping(
                entry.start(), entry.end() - entry.start(), entry.prot(), MAP_PRIVATE_FIXED, backing, entry.path());
        mappings.add(traps.set(tracee, mapping, file, entry.offset()));
        if (file != null && (entry.prot() & PROT_WRITE) != 0) {
            addDifferences(tracee, entry, file);
        }
    }

    /** Where the content of a mapped file can be read, even if it is deleted or lies in another root; or null. */
    private static Path file(Tracee tracee, String name) {
        String task = "/proc/" + tracee.tid();
        if (name.equals(tracee.tracer().linkTarget(task + "/exe"))) {
            return Path.of(task + "/exe");
        }
        String rooted = task + "/root" + name;
        FileStatus status = tracee.tracer().fileStatus(rooted);
        return status != null && status.regular() ? Path.of(rooted) : null;
    }

    private void addDifferences(Tracee tracee, ProcMaps.Entry entry, Path path) {
        byte[] file = new byte[(int) (entry.end() - entry.start())];
        try (RandomAccessFile f = new RandomAccessFile(path.toString(), "r")) {
            f.seek(entry.offset());
            int done = 0;
            int got;
            while (done < file.length && (got = f.read(file, done, file.length - done)) > 0) {
                done += got;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        addPages(tracee, entry, file);
    }

    /** Adds the pages that differ from the given content; content that is missing counts as zero. */
    private void addPages(Tracee tracee, ProcMaps.Entry entry, byte[] known) {
        byte[] memory = tracee.memory().read(entry.start(), (int) (entry.end() - entry.start()));
        byte[] zero = new byte[PAGE];
        for (int at = 0; at + PAGE <= memory.length; at += PAGE) {
            boolean same = at + PAGE <= known.length
                    ? Arrays.equals(memory, at, at + PAGE, known, at, at + PAGE)
                    : Arrays.equals(memory, at, at + PAGE, zero, 0, PAGE);
            if (!same) {
                contents.add(new MemoryWrite(entry.start() + at, Arrays.copyOfRange(memory, at, at + PAGE)));
            }
        }
    }

    /** Makes the auxiliary vector on the stack forget the vDSO; returns the vector. */
    private static byte[] hideVdso(Tracee tracee) {
        long at = tracee.register(Reg.RSP);
        at += 8 + 8 * (tracee.memory().readLong(at) + 1);
        while (tracee.memory().readLong(at) != 0) {
            at += 8;
        }
        at += 8;
        long start = at;
        while (true) {
            long type = tracee.memory().readLong(at);
            if (type == AT_SYSINFO_EHDR) {
                tracee.memory()
                        .write(
                                at,
                                ByteBuffer.allocate(8)
                                        .order(ByteOrder.LITTLE_ENDIAN)
                                        .putLong(AT_IGNORE)
                                        .array());
            }
            at += 16;
            if (type == 0) {
                break;
            }
        }
        return tracee.memory().readFully(start, (int) (at - start));
    }
}
