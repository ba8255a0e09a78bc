package dev.eremite.replay.probe;

import dev.eremite.tracer.linux.ProcMaps;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.x86.BranchTargets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * Where the relative branches in the code around a place lead. Probes are put in at the same few places again and again, so
 * that what was found in a block of code is kept, and holds as long as its bytes are the same.
 */
final class SweptCode {
    private static final int BLOCK = 0x8000;

    /** Some 4 MB; the least recently used are forgotten. */
    private static final int KEPT = 96;

    private static final Map<Block, BranchTargets> KNOWN = new LinkedHashMap<>(2 * KEPT, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Block, BranchTargets> eldest) {
            return size() > KEPT;
        }
    };

    /** Code at an address; two are equal if their bytes are. */
    private record Block(long address, byte[] code) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Block block && address == block.address && Arrays.equals(code, block.code);
        }

        @Override
        public int hashCode() {
            return Long.hashCode(address);
        }
    }

    private SweptCode() {}

    /**
     * The addresses in a stretch of code that relative branches within 32 KB of it lead to, in order.
     *
     * @param text the mapping with the code
     * @param first the first address of the stretch
     * @param last the last one
     */
    static long[] targets(Tracee tracee, ProcMaps.Entry text, long first, long last) {
        LongStream found = LongStream.empty();
        long from = (first & -BLOCK) - BLOCK;
        for (long address = from; address <= last + BLOCK; address += BLOCK) {
            long start = Math.max(text.start(), address);
            long end = Math.min(text.end(), address + BLOCK);
            if (start < end) {
                Block block = new Block(start, tracee.memory().read(start, (int) (end - start)));
                found = LongStream.concat(found, LongStream.of(targets(block).between(first, last)));
            }
        }
        return found.sorted().distinct().toArray();
    }

    private static BranchTargets targets(Block block) {
        synchronized (KNOWN) {
            return KNOWN.computeIfAbsent(block, swept -> BranchTargets.scan(swept.code(), swept.address()));
        }
    }
}
