package dev.eremite.replay.probe;

import dev.eremite.tracer.x86.UserRegisters;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes predicates for places at which the arithmetic flags hold nothing of use: plain comparisons, several times faster
 * than those of {@link PredicateWriter}, because they save nothing. They change the flags.
 */
final class FlagPredicateWriter {
    private final StubWriter out;
    private final long stubAddress;
    private final List<Integer> misses = new ArrayList<>();

    FlagPredicateWriter(StubWriter out, long stubAddress) {
        this.out = out;
        this.stubAddress = stubAddress;
    }

    /** Whether a condition can be tested so. */
    static boolean supports(ProbeCondition condition, long stubAddress) {
        return !condition.counted()
                && condition.otherwise() == null
                && condition.comparisons().stream().allMatch(comparison -> switch (comparison) {
                    case Comparison.RegisterEquals test -> true;
                    case Comparison.RegisterHalfEquals test -> true;
                    case Comparison.VectorEquals test -> false;
                    case Comparison.MemoryEquals test ->
                        test.base() != Comparison.MemoryEquals.ABSOLUTE
                                || Math.abs(test.displacement() - stubAddress) < Integer.MAX_VALUE - (1 << 20);
                });
    }

    /**
     * Writes it all; control goes to the stub's start or falls out of the end.
     *
     * @return the address of the last instruction
     */
    long write(ProbeCondition condition) {
        if (condition.comparisons().isEmpty()) {
            long last = out.position();
            out.jump(stubAddress);
            return last;
        }
        int left = condition.comparisons().size();
        long last = 0;
        for (Comparison comparison : condition.comparisons()) {
            left--;
            compare(comparison);
            if (left > 0) {
                miss();
            } else {
                last = out.position();
                out.instruction(
                        Code.of(0x0f, 0x84).int32(stubAddress - (last + 6)).bytes());
            }
        }
        misses.forEach(out::land);
        return last;
    }

    /** jne behind the predicate, filled in later */
    private void miss() {
        misses.add(out.forwardBranch(0x85));
    }

    private void compare(Comparison comparison) {
        switch (comparison) {
            case Comparison.RegisterEquals(int register, long value) -> {
                int number = UserRegisters.encodingOf(register);
                if (Code.fitsInt32(value)) {
                    int modrm = 0xc0 | 7 << 3 | number & 7;
                    out.instruction(Code.of(0x48 | number >> 3, 0x81, modrm)
                            .int32(value)
                            .bytes());
                } else {
                    int modrm = (number & 7) << 3 | 5;
                    out.constantOperand(Code.of(0x48 | (number & 8) >> 1, 0x3b, modrm), value);
                }
            }
            case Comparison.RegisterHalfEquals(int register, int value) -> {
                int number = UserRegisters.encodingOf(register);
                int modrm = 0xc0 | 7 << 3 | number & 7;
                out.instruction(
                        Code.of(0x40 | number >> 3, 0x81, modrm).int32(value).bytes());
            }
            case Comparison.VectorEquals test -> throw new IllegalArgumentException(test.toString());
            case Comparison.MemoryEquals(int base, long displacement, int width, long value) -> {
                if (width == 4) {
                    compareMemory(false, base, displacement, (int) value);
                } else if (Code.fitsInt32(value)) {
                    compareMemory(true, base, displacement, (int) value);
                } else {
                    compareMemory(false, base, displacement, (int) value);
                    miss();
                    compareMemory(false, base, displacement + 4, (int) (value >> 32));
                }
            }
        }
    }

    /** cmp [memory], imm32; of 8 bytes with the sign extended, or of 4 */
    private void compareMemory(boolean wide, int baseRegister, long displacement, int value) {
        int size = wide ? 8 : 0;
        if (baseRegister == Comparison.MemoryEquals.ABSOLUTE) {
            int modrm = 7 << 3 | 5;
            long next = out.position() + 11;
            out.instruction(Code.of(0x40 | size, 0x81, modrm)
                    .int32(displacement - next)
                    .int32(value)
                    .bytes());
        } else {
            int number = UserRegisters.encodingOf(baseRegister);
            out.instruction(Code.of(0x40 | size | number >> 3, 0x81)
                    .based(7, number, displacement)
                    .int32(value)
                    .bytes());
        }
    }
}
