package dev.eremite.replay.record;

import dev.eremite.tracer.linux.EnginePage;
import dev.eremite.tracer.linux.ProcMaps;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Tracee;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The likely places of a program's variables at one moment: data segments, heap, the top of the stack. What differs a
 * little later tells rounds of outer loops apart, whose variables a short window of steps does not touch.
 */
final class MemorySample {
    private static final int PAGE = 4096;
    private static final int WORD = 8;
    private static final int WRITABLE = 2;
    private static final int STACK_TOP = 2 * PAGE;

    /** Mappings longer than this are looked at in part. */
    private static final int MAX_MAPPING = 0x4_0000;

    private static final int MAX_TOTAL = 0x10_0000;

    private static final int MAX_CHANGED = 1024;

    /** Where position-independent programs, their libraries and stacks lie. */
    private static final long LOWEST_ADDRESS = 0x5000_0000_0000L;

    private static final long HIGHEST_ADDRESS = 0x8000_0000_0000L;

    private record Stretch(long start, byte[] bytes) {}

    private final Tracee tracee;
    private final int dataStart;
    private final List<Stretch> stretches = new ArrayList<>();

    /**
     * Takes a sample of a stopped task.
     *
     * @param pages first addresses of pages to look at in any case
     */
    MemorySample(Tracee tracee, List<Long> pages) {
        this.tracee = tracee;
        long stack = tracee.register(Reg.RSP) & -WORD;
        add(stack, STACK_TOP);
        pages.forEach(page -> add(page, PAGE));
        dataStart = stretches.size();
        int total = STACK_TOP;
        for (ProcMaps.Entry entry : ProcMaps.read(tracee.tid())) {
            boolean candidate = (entry.prot() & WRITABLE) != 0
                    && !entry.shared()
                    && !entry.path().equals("[stack]")
                    && !EnginePage.contains(entry.start())
                    && !(stack >= entry.start() && stack < entry.end());
            int length = (int) Math.min(entry.end() - entry.start(), MAX_MAPPING);
            if (candidate && total + length <= MAX_TOTAL) {
                add(entry.start(), length);
                total += length;
            }
        }
    }

    private void add(long start, int length) {
        byte[] bytes = tracee.memory().read(start, length);
        stretches.add(new Stretch(start, Arrays.copyOf(bytes, bytes.length & -WORD)));
    }

    /**
     * The addresses of words that have other values now: first those that have grown as counters do, then others.
     *
     * @param most how many at most
     */
    List<Long> changed(int most) {
        List<Long> grown = new ArrayList<>();
        List<Long> others = new ArrayList<>();
        // The stack is first in the list, but its words are less telling than others.
        for (Stretch old : stretches.subList(1, stretches.size())) {
            compare(old, grown, others);
        }
        compare(stretches.getFirst(), grown, others);
        return Stream.concat(grown.stream(), others.stream())
                .distinct()
                .limit(most)
                .toList();
    }

    private void compare(Stretch old, List<Long> grown, List<Long> others) {
        byte[] now = tracee.memory().read(old.start(), old.bytes().length);
        int at = 0;
        ByteBuffer oldWords = ByteBuffer.wrap(old.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer newWords = ByteBuffer.wrap(now).order(ByteOrder.LITTLE_ENDIAN);
        while (grown.size() < MAX_CHANGED && at + WORD <= now.length) {
            int difference = Arrays.mismatch(now, at, now.length, old.bytes(), at, now.length);
            if (difference < 0) {
                return;
            }
            at = at + difference & -WORD;
            if (at + WORD <= now.length) {
                boolean counts = isGrowth(oldWords.getLong(at), newWords.getLong(at));
                (counts ? grown : others).add(old.start() + at);
            }
            at += WORD;
        }
    }

    /** Whether a word may be a counter: it has become a little more, and is no address. */
    private static boolean isGrowth(long before, long now) {
        boolean address = now >= LOWEST_ADDRESS && now < HIGHEST_ADDRESS;
        return !address && before >= 0 && now > before && now - before < Integer.MAX_VALUE;
    }

    /** The first addresses of pages of the program's data, by which a landmark includes them. */
    List<Long> pages(int most) {
        List<Long> pages = new ArrayList<>();
        for (Stretch stretch : stretches.subList(dataStart, stretches.size())) {
            for (long page = stretch.start(); page < stretch.start() + stretch.bytes().length; page += PAGE) {
                if (pages.size() == most) {
                    return pages;
                }
                pages.add(page);
            }
        }
        return pages;
    }
}
