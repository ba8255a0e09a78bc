package dev.eremite.replay.probe;

/** One equality that a probe tests at each visit. */
public sealed interface Comparison {
    /**
     * A general-purpose register has a value.
     *
     * @param register index in user_regs_struct (see {@link dev.eremite.tracer.linux.Reg}): rax to r15
     * @param value all 64 bits
     */
    record RegisterEquals(int register, long value) implements Comparison {}

    /**
     * The lower half of a general-purpose register has a value.
     *
     * @param register index in user_regs_struct: rax to r15
     * @param value the 32 bits
     */
    record RegisterHalfEquals(int register, int value) implements Comparison {}

    /**
     * A half of one of the vector registers xmm0 to xmm15 has a value.
     *
     * @param half twice the register's number, plus 1 for its upper half
     * @param value all 64 bits
     */
    record VectorEquals(int half, long value) implements Comparison {}

    /**
     * A word of memory has a value. The word must be readable at every visit; a visit where it is not faults inside
     * the probe (see {@link Probe#isPredicate}).
     *
     * @param base index in user_regs_struct of the base register, or {@link #ABSOLUTE}
     * @param displacement added to the base, −2³¹ to 2³¹−1; or the absolute address
     * @param width 4 or 8 bytes
     * @param value the expected value; of the low 32 bits only where the width is 4
     */
    record MemoryEquals(int base, long displacement, int width, long value) implements Comparison {
        /** No base register. */
        public static final int ABSOLUTE = -1;
    }
}
