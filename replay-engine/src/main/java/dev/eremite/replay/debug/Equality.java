package dev.eremite.replay.debug;

/** An equality between a part of a thread's state and a constant. */
public sealed interface Equality {
    /** How many bytes are equal: 4 (the lower half), or 8. */
    int width();

    /** What they are equal to; of the lower 32 bits only where the width is 4. */
    long value();

    /**
     * A general-purpose register has a value.
     *
     * @param register its place in user_regs_struct, rax to r15
     */
    record OfRegister(int register, int width, long value) implements Equality {}

    /**
     * A word of memory has a value.
     *
     * @param base the place in user_regs_struct of the register that is added to the displacement, or {@link #ABSOLUTE}
     */
    record OfMemory(int base, long displacement, int width, long value) implements Equality {
        /** No register: the displacement is the address. */
        public static final int ABSOLUTE = -1;
    }
}
