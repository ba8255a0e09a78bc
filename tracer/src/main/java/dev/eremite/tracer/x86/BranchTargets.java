package dev.eremite.tracer.x86;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * The targets of all relative branches in a stretch of code, found by a linear sweep that skips a byte where it cannot
 * decode. Targets of indirect jumps (jump tables) are not among them.
 */
public final class BranchTargets {
    private final long[] sorted;

    private BranchTargets(long[] sorted) {
        this.sorted = sorted;
    }

    /**
     * Sweeps code; 1 MB takes some 20 ms.
     *
     * @param code the bytes, for example of a whole text mapping
     * @param address where they lie in the guest
     */
    public static BranchTargets scan(byte[] code, long address) {
        LongStream.Builder targets = LongStream.builder();
        int at = 0;
        while (at < code.length) {
            if (InstructionDecoder.decode(code, at, address + at) instanceof Instruction instruction) {
                if (instruction.flow().isRelative()) {
                    targets.add(instruction.target());
                }
                at += instruction.length();
            } else {
                at++;
            }
        }
        return new BranchTargets(targets.build().sorted().distinct().toArray());
    }

    /** The targets from {@code first} to {@code last}, both included, in order. */
    public long[] between(long first, long last) {
        return Arrays.copyOfRange(sorted, insertion(first), insertion(last + 1));
    }

    private int insertion(long address) {
        int found = Arrays.binarySearch(sorted, address);
        return found >= 0 ? found : -found - 1;
    }
}
