package dev.eremite.replay.guest;

import dev.eremite.replay.event.Landmark;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Tracee;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeSet;

/** What a landmark holds of a stopped task besides the general registers. Recorder and replayer compute it alike. */
public final class LandmarkState {
    private static final int PAGE = 4096;
    private static final int WORD = 8;

    /** Leaf functions keep their variables in the 128 bytes below the stack pointer (System V ABI, red zone). */
    static final int BELOW_STACK = 128;

    private static final int ABOVE_STACK = 192;

    /** How far around the stack pointer memory counts as stack. */
    private static final long STACK_REACH = 1 << 20;

    /** The x87 and SSE registers in the XSAVE area, without control words and instruction pointers. */
    private static final int VECTORS_START = 32;

    private static final int VECTORS_END = 416;

    private static final int XMM_START = 160;
    private static final int VECTOR_HALVES = 32;

    /** The upper halves of the AVX registers. */
    private static final int AVX_START = 576;

    private static final int AVX_END = 832;

    private LandmarkState() {}

    /** Whether an address is so near a stack pointer that its memory counts as stack. */
    public static boolean isOfStack(long address, long rsp) {
        return Math.abs(address - rsp) <= STACK_REACH;
    }

    /** The little-endian word at an address; empty where memory is not readable. */
    public static OptionalLong word(Tracee tracee, long address) {
        byte[] bytes = tracee.memory().read(address, WORD);
        return bytes.length == WORD ? OptionalLong.of(little(bytes, 0)) : OptionalLong.empty();
    }

    /** The words around the stack pointer, where functions have their variables. */
    public static List<Landmark.Word> stackWords(Tracee tracee) {
        long start = (tracee.register(Reg.RSP) & -WORD) - BELOW_STACK;
        List<Landmark.Word> words = new ArrayList<>();
        byte[] whole = tracee.memory().read(start, BELOW_STACK + ABOVE_STACK);
        for (int at = 0; at < BELOW_STACK + ABOVE_STACK; at += WORD) {
            long address = start + at;
            // Where a page is missing, those behind it may be there.
            OptionalLong value = at + WORD <= whole.length ? OptionalLong.of(little(whole, at)) : word(tracee, address);
            value.ifPresent(known -> words.add(new Landmark.Word(address, known)));
        }
        return words;
    }

    /** The registers xmm0 to xmm15 of a stopped task, of each the lower half first. */
    public static long[] vectors(Tracee tracee) {
        byte[] area = tracee.xsave();
        long[] vectors = new long[VECTOR_HALVES];
        for (int i = 0; i < VECTOR_HALVES; i++) {
            vectors[i] = little(area, XMM_START + i * WORD);
        }
        return vectors;
    }

    /**
     * A hash of the floating-point and vector registers and of the pages outside the stack that hold the words. Pages of
     * the stack stay out: below and between its variables lie remains of saved processor states, which show what parts of
     * the processor were in use, and that is not reproducible.
     */
    public static long fingerprint(Tracee tracee, List<Landmark.Word> words) {
        long hash = 0x9E3779B97F4A7C15L;
        byte[] area = tracee.xsave();
        hash = mix(hash, area, VECTORS_START, Math.min(VECTORS_END, area.length));
        hash = mix(hash, area, AVX_START, Math.min(AVX_END, area.length));
        long rsp = tracee.register(Reg.RSP);
        TreeSet<Long> pages = new TreeSet<>();
        for (Landmark.Word word : words) {
            if (!isOfStack(word.address(), rsp)) {
                pages.add(word.address() & -PAGE);
            }
        }
        for (long page : pages) {
            hash = mix(hash, tracee.memory().read(page, PAGE), 0, PAGE);
        }
        return hash == 0 ? 1 : hash;
    }

    private static long mix(long seed, byte[] bytes, int from, int to) {
        byte[] whole = bytes.length < to ? Arrays.copyOf(bytes, to) : bytes;
        long hash = seed;
        for (int at = from; at + WORD <= to; at += WORD) {
            hash = (hash ^ little(whole, at)) * 0xff51afd7ed558ccdL;
            hash ^= hash >>> 32;
        }
        return hash;
    }

    private static long little(byte[] bytes, int at) {
        return java.nio.ByteBuffer.wrap(bytes)
                .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                .getLong(at);
    }
}
