package dev.eremite.replay.record;

import dev.eremite.tracer.linux.EnginePage;
import dev.eremite.tracer.linux.ProcMaps;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Tracee;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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

    private record Stretch(long start, byte[] bytes) {}

    private final Tracee tracee;
    private final List<Stretch> stretches = new ArrayList<>();

    /** Takes a sample of a stopped task. */
    MemorySample(Tracee tracee) {
        this.tracee = tracee;
        long stack = tracee.register(Reg.RSP) & -WORD;
        add(stack, STACK_TOP);
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
     * The addresses of words that have other values now, those of the program's own data first.
     *
     * @param most how many at most
     */
    List<Long> changed(int most) {
        List<Long> addresses = new ArrayList<>();
        // The stack is first in the list, but its words are less telling than others.
        for (Stretch old : stretches.subList(1, stretches.size())) {
            compare(old, addresses, most);
        }
        compare(stretches.getFirst(), addresses, most);
        return addresses;
    }

    private void compare(Stretch old, List<Long> addresses, int most) {
        if (addresses.size() >= most) {
            return;
        }
        byte[] now = tracee.memory().read(old.start(), old.bytes().length);
        int at = 0;
        while (addresses.size() < most) {
            int difference = Arrays.mismatch(now, at, now.length, old.bytes(), at, now.length);
            if (difference < 0) {
                return;
            }
            at = at + difference & -WORD;
            addresses.add(old.start() + at);
            at += WORD;
        }
    }

    /** The first addresses of pages of the program's data, by which a landmark includes them. */
    List<Long> pages(int most) {
        List<Long> pages = new ArrayList<>();
        for (Stretch stretch : stretches.subList(1, stretches.size())) {
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
