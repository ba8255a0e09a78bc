package dev.eremite.replay.guest;

import dev.eremite.replay.event.Landmark.Span;
import dev.eremite.tracer.linux.EnginePage;
import dev.eremite.tracer.linux.ProcMaps;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Tracee;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * Hashes of what a task's memory holds. Two places of a recursion can agree in registers and in many frames, and two moments
 * of an interpreter in all that it is about to use; the whole memory tells them apart.
 */
public final class MemorySpans {
    private static final int WORD = 8;
    private static final int LENGTH = 1 << 18;

    private static final long STACK_LENGTH = 1 << 20;
    private static final int WRITABLE = 2;
    private static final int EXECUTABLE = 4;

    /** XSAVE areas and their headers are aligned to this. */
    private static final int HEADER_ALIGNMENT = 64;

    /** The bits of XSTATE_BV, all of them below 2²⁰. */
    private static final int IN_USE_BITS = 0x0602e7;

    private MemorySpans() {}

    /** The live stack of a stopped task: from the red zone to the end of its mapping, 1 MB at most. */
    public static List<Span> ofStack(Tracee tracee) {
        List<Span> spans = new ArrayList<>();
        long rsp = tracee.register(Reg.RSP);
        for (ProcMaps.Entry entry : ProcMaps.read(tracee.tid())) {
            if (rsp >= entry.start() && rsp < entry.end()) {
                addStack(tracee, entry, spans);
            }
        }
        return List.copyOf(spans);
    }

    /**
     * The live stack of a stopped task and the private data of its process, small mappings first. Shared memory, code and
     * the engine's own memory stay out.
     *
     * @param most bytes that are taken at most
     */
    public static List<Span> ofProcess(Tracee tracee, long most) {
        List<Span> spans = new ArrayList<>();
        long rsp = tracee.register(Reg.RSP);
        List<ProcMaps.Entry> data = new ArrayList<>();
        for (ProcMaps.Entry entry : ProcMaps.read(tracee.tid())) {
            boolean stack = rsp >= entry.start() && rsp < entry.end();
            if (stack) {
                addStack(tracee, entry, spans);
            }
            boolean wanted = (entry.prot() & (WRITABLE | EXECUTABLE)) == WRITABLE
                    && !entry.shared()
                    && !EnginePage.contains(entry.start());
            if (wanted && !(stack && entry.path().equals("[stack]"))) {
                data.add(entry);
            }
        }
        data.sort(Comparator.comparingLong(entry -> entry.end() - entry.start()));
        long left = most;
        for (ProcMaps.Entry entry : data) {
            long length = Math.min(left, entry.end() - entry.start());
            add(tracee, entry.start(), entry.start() + length, spans);
            left -= length;
        }
        return List.copyOf(spans);
    }

    private static void addStack(Tracee tracee, ProcMaps.Entry entry, List<Span> spans) {
        long start = Math.max(entry.start(), (tracee.register(Reg.RSP) & -WORD) - LandmarkState.BELOW_STACK);
        add(tracee, start, Math.min(entry.end(), start + STACK_LENGTH), spans);
    }

    private static void add(Tracee tracee, long start, long end, List<Span> spans) {
        for (long at = start; at < end; at += LENGTH) {
            int length = (int) Math.min(LENGTH, end - at);
            spans.add(new Span(at, length, hash(tracee, at, length)));
        }
    }

    /** Whether memory holds what a span says. */
    public static boolean matches(Tracee tracee, Span span) {
        return hash(tracee, span.address(), span.length()) == span.hash();
    }

    /**
     * A hash of memory. Where an XSAVE header may lie, the word that tells which parts of the processor were in use counts
     * as 0: it is not reproducible, and remains of headers lie about in stacks.
     */
    private static long hash(Tracee tracee, long address, int length) {
        byte[] bytes = tracee.memory().read(address, length);
        for (int at = (int) (-address & HEADER_ALIGNMENT - 1); at + WORD <= bytes.length; at += HEADER_ALIGNMENT) {
            if (bytes[at + 3] == 0 && isInUse(bytes, at)) {
                bytes[at] = 0;
                bytes[at + 1] = 0;
                bytes[at + 2] = 0;
            }
        }
        CRC32C upper = new CRC32C();
        upper.update(bytes);
        CRC32 lower = new CRC32();
        lower.update(bytes);
        return upper.getValue() << 32 | lower.getValue();
    }

    private static boolean isInUse(byte[] bytes, int at) {
        int low = bytes[at] & 0xff | (bytes[at + 1] & 0xff) << 8 | (bytes[at + 2] & 0xff) << 16;
        return (low & ~IN_USE_BITS) == 0
                && bytes[at + 4] == 0
                && bytes[at + 5] == 0
                && bytes[at + 6] == 0
                && bytes[at + 7] == 0;
    }
}
