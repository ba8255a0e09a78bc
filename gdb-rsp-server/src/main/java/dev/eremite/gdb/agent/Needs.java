package dev.eremite.gdb.agent;

import dev.eremite.replay.debug.Equality;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Finds what an expression needs to be other than zero, by evaluating it without a thread: where it compares a register or a
 * word of memory with a constant, as conditions mostly do, and joins such comparisons by AND.
 */
final class Needs {
    private static final int MOST_OPERATIONS = 200;
    private static final int MOST_BRANCHES = 8;

    /** What is known of a value. */
    private sealed interface Value {}

    /** A register's value and a constant; a constant alone without a register. */
    private record Sum(int register, long constant) implements Value {
        static final int NONE = -1;

        boolean isConstant() {
            return register == NONE;
        }
    }

    /**
     * A part of the thread's state.
     *
     * @param memory whether it is the word at a sum, or the sum itself
     * @param sum the address, or the value
     * @param width its bytes, 4 or 8
     * @param signed whether the 4 bytes have been extended by their sign
     */
    private record Part(boolean memory, Sum sum, int width, boolean signed) implements Value {}

    /** One if all of these hold, else zero; or at least not one without them. */
    private record Test(List<Equality> needs) implements Value {}

    /** Nothing is known. */
    private record Unknown() implements Value {}

    private static final Unknown UNKNOWN = new Unknown();

    private final byte[] code;
    private final IntUnaryOperator registers;
    private int operations;
    private int branches;

    /**
     * Looks at a program.
     *
     * @param registers turns the number of a register into the place of a general-purpose one in user_regs_struct, or −1
     */
    Needs(byte[] code, IntUnaryOperator registers) {
        this.code = code;
        this.registers = registers;
    }

    /** The equalities without all of which the program's value is zero; none where nothing of the kind is known. */
    List<Equality> find() {
        return follow(0, new ArrayList<>()) instanceof Test test ? test.needs() : List.of();
    }

    /** The program's value from some point on, with that stack. */
    private Value follow(int start, List<Value> stack) {
        int pc = start;
        while (++operations < MOST_OPERATIONS) {
            int opcode = (int) operand(pc, 1);
            switch (opcode) {
                case 0x27 -> {
                    return pop(stack);
                }
                case 0x20 -> {
                    return branch(pop(stack), pc + 3, (int) operand(pc + 1, 2), stack);
                }
                case 0x21 -> pc = (int) operand(pc + 1, 2);
                default -> {
                    int length = operation(opcode, pc, stack);
                    if (length == 0) {
                        return UNKNOWN;
                    }
                    pc += length;
                }
            }
        }
        return UNKNOWN;
    }

    /** Performs an operation; returns its length with its operands, 0 if it is not known here. */
    private int operation(int opcode, int pc, List<Value> stack) {
        switch (opcode) {
            case 0x02 -> add(stack, 1);
            case 0x03 -> add(stack, -1);
            case 0x13 -> stack.add(equal(pop(stack), pop(stack)));
            case 0x19, 0x1a -> stack.add(load(pop(stack), opcode == 0x19 ? 4 : 8));
            case 0x16, 0x2a -> stack.add(extend(pop(stack), (int) operand(pc + 1, 1), opcode == 0x16));
            case 0x22, 0x23, 0x24, 0x25 -> stack.add(new Sum(Sum.NONE, operand(pc + 1, 1 << opcode - 0x22)));
            case 0x26 -> {
                int register = registers.applyAsInt((int) operand(pc + 1, 2));
                stack.add(register < 0 ? UNKNOWN : new Sum(register, 0));
            }
            default -> {
                return 0;
            }
        }
        return switch (opcode) {
            case 0x16, 0x2a, 0x22 -> 2;
            case 0x23, 0x26 -> 3;
            case 0x24 -> 5;
            case 0x25 -> 9;
            default -> 1;
        };
    }

    /** What comes of a branch, if the way on without it leads to zero. */
    private Value branch(Value condition, int next, int target, List<Value> stack) {
        // What is not known could fail to be evaluated, which is for the one who asks to see.
        if (++branches > MOST_BRANCHES || !(condition instanceof Test first)) {
            return UNKNOWN;
        }
        boolean otherwiseZero =
                follow(next, new ArrayList<>(stack)) instanceof Sum sum && sum.isConstant() && sum.constant() == 0;
        if (!otherwiseZero) {
            return UNKNOWN;
        }
        List<Equality> needs = new ArrayList<>(first.needs());
        if (follow(target, new ArrayList<>(stack)) instanceof Test second) {
            needs.addAll(second.needs());
        }
        return new Test(needs);
    }

    private static void add(List<Value> stack, int sign) {
        Value right = pop(stack);
        Value left = pop(stack);
        boolean known = left instanceof Sum && right instanceof Sum b && (b.isConstant() || sign > 0);
        if (!known) {
            stack.add(UNKNOWN);
            return;
        }
        Sum a = (Sum) left;
        Sum b = (Sum) right;
        boolean two = !a.isConstant() && !b.isConstant();
        int register = a.isConstant() ? b.register() : a.register();
        stack.add(two ? UNKNOWN : new Sum(register, a.constant() + sign * b.constant()));
    }

    private static Value load(Value address, int width) {
        return address instanceof Sum sum ? new Part(true, sum, width, false) : UNKNOWN;
    }

    private static Value extend(Value value, int bits, boolean signed) {
        return switch (value) {
            case Sum(int register, long constant)
            when register == Sum.NONE -> new Sum(Sum.NONE, extended(constant, bits, signed));
            case Sum sum when bits == 64 -> sum;
            case Sum sum when bits == 32 -> new Part(false, sum, 4, signed);
            case Part part when bits == 64 -> part;
            case Part part
            when bits == 32 && (part.width() == 8 || !part.signed()) -> new Part(part.memory(), part.sum(), 4, signed);
            default -> UNKNOWN;
        };
    }

    private static long extended(long value, int bits, boolean signed) {
        if (bits <= 0 || bits >= 64) {
            return value;
        }
        return signed ? value << 64 - bits >> 64 - bits : value & (1L << bits) - 1;
    }

    private static Value equal(Value one, Value other) {
        if (one instanceof Sum sum && sum.isConstant()) {
            return test(other, sum.constant());
        }
        return other instanceof Sum sum && sum.isConstant() ? test(one, sum.constant()) : UNKNOWN;
    }

    private static Value test(Value value, long constant) {
        return switch (value) {
            case Sum sum
            when !sum.isConstant() ->
                new Test(List.of(new Equality.OfRegister(sum.register(), 8, constant - sum.constant())));
            case Part part
            when part.width() == 8 || extended(constant, 32, part.signed()) == constant -> part(part, constant);
            default -> UNKNOWN;
        };
    }

    private static Value part(Part part, long constant) {
        Sum sum = part.sum();
        if (!part.memory()) {
            return sum.isConstant()
                    ? UNKNOWN
                    : new Test(List.of(
                            new Equality.OfRegister(sum.register(), 4, constant - sum.constant() & 0xffff_ffffL)));
        }
        boolean reachable = sum.isConstant() || sum.constant() == (int) sum.constant() && sum.constant() < 0x7fff_fff0;
        int base = sum.isConstant() ? Equality.OfMemory.ABSOLUTE : sum.register();
        return reachable
                ? new Test(List.of(new Equality.OfMemory(base, sum.constant(), part.width(), constant)))
                : UNKNOWN;
    }

    private static Value pop(List<Value> stack) {
        if (stack.isEmpty()) {
            throw new AgentException("stack underflow");
        }
        return stack.removeLast();
    }

    private long operand(int at, int bytes) {
        if (at + bytes > code.length) {
            throw new AgentException("code ends without an end operation");
        }
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value = value << 8 | code[at + i] & 0xFF;
        }
        return value;
    }
}
