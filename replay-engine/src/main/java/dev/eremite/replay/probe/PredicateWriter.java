package dev.eremite.replay.probe;

import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.x86.UserRegisters;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the predicate: code that decides at each visit, using nothing but rcx (saved in scratch memory), and neither
 * flags nor stack. Only mov, lea and jrcxz are used because they leave the flags alone.
 */
final class PredicateWriter {
    private static final int RCX = 1;
    private static final byte[] SKIP_A_JUMP = Code.of(0xe3, 5).bytes();

    private final StubWriter out;
    private final long scratch;
    private final long hitBlock;
    private final List<Integer> misses = new ArrayList<>();

    PredicateWriter(StubWriter out, long scratch, long hitBlock) {
        this.out = out;
        this.scratch = scratch;
        this.hitBlock = hitBlock;
    }

    /** Writes it all; control leaves it at {@code hitBlock} or falls out of its end, in both cases with rcx saved. */
    void write(ProbeCondition condition) {
        out.instruction(Code.of(0x48, 0x89).absolute(RCX, scratch).bytes());
        out.rcxSavedFromHere();
        int left = condition.comparisons().size();
        for (Comparison comparison : condition.comparisons()) {
            left--;
            compare(comparison, left == 0 && !condition.counted());
        }
        if (condition.counted()) {
            count();
        } else if (condition.comparisons().isEmpty()) {
            out.jump(hitBlock);
        }
        misses.forEach(out::land);
        if (condition.otherwise() != null) {
            misses.clear();
            either(condition.otherwise());
        }
    }

    private void either(List<Comparison> otherwise) {
        int left = otherwise.size();
        for (Comparison comparison : otherwise) {
            left--;
            compare(comparison, left == 0);
        }
        if (otherwise.isEmpty()) {
            out.jump(hitBlock);
        }
        misses.forEach(out::land);
    }

    private void count() {
        long counter = scratch + ProbeAssembler.COUNTER_OFFSET;
        out.instruction(Code.of(0x48, 0x8b).absolute(RCX, counter).bytes());
        out.instruction(Code.of(0x48, 0x8d, 0x49, 0xff).bytes());
        out.instruction(Code.of(0x48, 0x89).absolute(RCX, counter).bytes());
        out.countedFromHere();
        hitIfZero();
    }

    /** Goes to the hit block if rcx is zero, and on otherwise. */
    private void hitIfZero() {
        long distance = hitBlock - (out.position() + 2);
        if (distance >= Byte.MIN_VALUE) {
            out.instruction(Code.of(0xe3, (int) distance & 0xff).bytes());
            return;
        }
        out.instruction(SKIP_A_JUMP);
        misses.add(out.forwardJump());
        out.jump(hitBlock);
    }

    /** Goes on if rcx is zero, and to the miss block otherwise. */
    private void missUnlessZero() {
        out.instruction(SKIP_A_JUMP);
        misses.add(out.forwardJump());
    }

    private void decide(boolean last) {
        if (last) {
            hitIfZero();
        } else {
            missUnlessZero();
        }
    }

    private void compare(Comparison comparison, boolean last) {
        switch (comparison) {
            case Comparison.RegisterEquals(int register, long value) -> compareRegister(register, value, last);
            case Comparison.RegisterHalfEquals(int register, int value) -> {
                int number = UserRegisters.encodingOf(register);
                reloadRcx(register);
                // lea ecx, [register - value]
                out.instruction(Code.of(0x40 | number >> 3, 0x8d)
                        .based(RCX, number, -value)
                        .bytes());
                decide(last);
            }
            case Comparison.VectorEquals(int half, long value) -> {
                long copy = scratch + ProbeAssembler.TEMPORARY_OFFSET;
                out.instruction(storeHalf(half >> 1, (half & 1) != 0, copy));
                compare(new Comparison.MemoryEquals(Comparison.MemoryEquals.ABSOLUTE, copy, 8, value), last);
            }
            case Comparison.MemoryEquals(int base, long displacement, int width, long value) -> {
                loadHalf(base, displacement);
                subtractHalf((int) value);
                if (width == 4) {
                    decide(last);
                    return;
                }
                missUnlessZero();
                loadHalf(base, displacement + 4);
                subtractHalf((int) (value >> 32));
                decide(last);
            }
        }
    }

    /** movlps or movhps [address], xmm */
    private static byte[] storeHalf(int number, boolean upper, long address) {
        int opcode = upper ? 0x17 : 0x13;
        Code code = number >= 8 ? Code.of(0x44, 0x0f, opcode) : Code.of(0x0f, opcode);
        return code.absolute(number & 7, address).bytes();
    }

    private void compareRegister(int register, long value, boolean last) {
        int number = UserRegisters.encodingOf(register);
        if (Code.fitsInt32(-value)) {
            reloadRcx(register);
            int rex = 0x48 | number >> 3;
            out.instruction(Code.of(rex, 0x8d).based(RCX, number, -value).bytes());
            decide(last);
            return;
        }
        // lea has no 64-bit constants: compare the halves of a copy in memory
        long copy = scratch;
        if (register != Reg.RCX) {
            copy = scratch + ProbeAssembler.TEMPORARY_OFFSET;
            int rex = 0x48 | (number & 8) >> 1;
            out.instruction(Code.of(rex, 0x89).absolute(number & 7, copy).bytes());
        }
        compare(new Comparison.MemoryEquals(Comparison.MemoryEquals.ABSOLUTE, copy, 8, value), last);
    }

    /** Where the guest's rcx is to be read: it may have been used since it was saved. */
    private void reloadRcx(int register) {
        if (register == Reg.RCX) {
            out.instruction(Code.of(0x48, 0x8b).absolute(RCX, scratch).bytes());
        }
    }

    /** mov ecx, [base + displacement] */
    private void loadHalf(int baseRegister, long displacement) {
        if (baseRegister != Comparison.MemoryEquals.ABSOLUTE) {
            int base = UserRegisters.encodingOf(baseRegister);
            reloadRcx(baseRegister);
            Code load = base >= 8 ? Code.of(0x41, 0x8b) : Code.of(0x8b);
            out.instruction(load.based(RCX, base, displacement).bytes());
        } else if (Code.fitsInt32(displacement)) {
            out.instruction(Code.of(0x8b).absolute(RCX, displacement).bytes());
        } else {
            out.instruction(Code.of(0x48, 0xb9).int64(displacement).bytes());
            out.instruction(Code.of(0x8b, 0x09).bytes());
        }
    }

    /** lea ecx, [rcx - value], which also clears the upper half of rcx. */
    private void subtractHalf(int value) {
        out.instruction(Code.of(0x8d).based(RCX, RCX, -value).bytes());
    }
}
