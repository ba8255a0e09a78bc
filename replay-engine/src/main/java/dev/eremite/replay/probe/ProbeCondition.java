package dev.eremite.replay.probe;

import dev.eremite.tracer.x86.UserRegisters;
import java.util.List;
import java.util.OptionalLong;

/**
 * When a probe traps: at visits for which all comparisons hold, and, if it counts, only at the one of them that brings
 * the counter in scratch memory to zero.
 *
 * @param comparisons up to {@link #MAX_COMPARISONS}, all of which must hold
 * @param counted whether matching visits are counted down
 * @param otherwise others that suffice if all of them hold; null if there are none
 */
public record ProbeCondition(List<Comparison> comparisons, boolean counted, List<Comparison> otherwise) {
    /** More than these would not fit the stub. */
    public static final int MAX_COMPARISONS = 4;

    private static final int VECTOR_HALVES = 32;

    public ProbeCondition {
        comparisons = List.copyOf(comparisons);
        otherwise = otherwise == null ? null : List.copyOf(otherwise);
        if (comparisons.size() > MAX_COMPARISONS || otherwise != null && otherwise.size() > MAX_COMPARISONS) {
            throw new IllegalArgumentException("more than " + MAX_COMPARISONS + " comparisons");
        }
    }

    /** A condition without others that suffice. */
    public ProbeCondition(List<Comparison> comparisons, boolean counted) {
        this(comparisons, counted, null);
    }

    /** The memory of a stopped guest. */
    @FunctionalInterface
    public interface Words {
        /** The little-endian 8 bytes at an address, or empty if they cannot be read. */
        OptionalLong at(long address);
    }

    /**
     * Whether all comparisons hold in a state, the counter left aside.
     *
     * @param registers user_regs_struct at the probed address
     * @param vectors the halves of xmm0 to xmm15; may be empty if none is compared
     * @param memory the guest's memory there
     */
    public boolean holds(long[] registers, long[] vectors, Words memory) {
        return hold(comparisons, registers, vectors, memory)
                || otherwise != null && hold(otherwise, registers, vectors, memory);
    }

    private static boolean hold(List<Comparison> all, long[] registers, long[] vectors, Words memory) {
        return all.stream().allMatch(comparison -> switch (comparison) {
            case Comparison.VectorEquals(int half, long value) -> vectors[half] == value;
            case Comparison.RegisterEquals(int register, long value) -> registers[register] == value;
            case Comparison.RegisterHalfEquals(int register, int value) -> (int) registers[register] == value;
            case Comparison.MemoryEquals(int base, long displacement, int width, long value) -> {
                long address = displacement + (base == Comparison.MemoryEquals.ABSOLUTE ? 0 : registers[base]);
                OptionalLong word = memory.at(address);
                long difference = word.orElse(0) ^ value;
                yield word.isPresent() && (width == 8 ? difference : (int) difference) == 0;
            }
        });
    }

    void validate() {
        validate(comparisons);
        if (otherwise != null) {
            validate(otherwise);
        }
    }

    private static void validate(List<Comparison> all) {
        for (Comparison comparison : all) {
            boolean valid = switch (comparison) {
                case Comparison.RegisterEquals test -> UserRegisters.encodingOf(test.register()) >= 0;
                case Comparison.RegisterHalfEquals test -> UserRegisters.encodingOf(test.register()) >= 0;
                case Comparison.VectorEquals test -> test.half() >= 0 && test.half() < VECTOR_HALVES;
                case Comparison.MemoryEquals test ->
                    (test.width() == 4 || test.width() == 8)
                            && validBase(test.base(), test.displacement(), test.width());
            };
            if (!valid) {
                throw new IllegalArgumentException("a probe cannot test " + comparison);
            }
        }
    }

    private static boolean validBase(int base, long displacement, int width) {
        if (base == Comparison.MemoryEquals.ABSOLUTE) {
            return true;
        }
        return UserRegisters.encodingOf(base) >= 0
                && displacement >= Integer.MIN_VALUE
                && displacement <= Integer.MAX_VALUE - width;
    }

    /** Traps at the visit that brings the counter to zero. */
    public static ProbeCondition counting() {
        return new ProbeCondition(List.of(), true);
    }

    /** Traps at each visit for which all comparisons hold. */
    public static ProbeCondition comparing(Comparison... comparisons) {
        return new ProbeCondition(List.of(comparisons), false);
    }
}
