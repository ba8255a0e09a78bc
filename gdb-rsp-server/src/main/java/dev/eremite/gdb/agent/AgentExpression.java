package dev.eremite.gdb.agent;

import dev.eremite.replay.debug.Equality;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/**
 * An agent expression, as GDB compiles it from a condition. All integer operations are supported; floating point and
 * tracing are not, which GDB does not use in conditions.
 *
 * @see <a href="https://sourceware.org/gdb/current/onlinedocs/gdb.html/Bytecode-Descriptions.html">Bytecode
 *     Descriptions</a>
 */
public final class AgentExpression {
    /** Evaluation fails after this many operations, so that a loop in the code cannot hang the server. */
    public static final int MAX_STEPS = 100_000;

    private static final Operation[] OPERATIONS = new Operation[256];

    @FunctionalInterface
    private interface Operation {
        void run(Evaluation evaluation);
    }

    static {
        arithmetic();
        comparisons();
        constantsAndMemory();
        stack();
        control();
    }

    private final byte[] code;

    /** An expression from its byte code, which is checked when it is evaluated. */
    public AgentExpression(byte[] code) {
        this.code = code.clone();
    }

    /**
     * Evaluates the expression.
     *
     * @return the value left on top of the stack
     * @throws AgentException when it cannot be evaluated
     */
    public long evaluate(AgentMachine machine) {
        Evaluation evaluation = new Evaluation(code, machine);
        for (int steps = 0; steps < MAX_STEPS; steps++) {
            int opcode = (int) evaluation.operand(1);
            Operation operation = OPERATIONS[opcode];
            if (operation == null) {
                throw new AgentException("unsupported operation 0x" + Integer.toHexString(opcode));
            }
            operation.run(evaluation);
            if (evaluation.ended()) {
                return evaluation.pop();
            }
        }
        throw new AgentException("more than " + MAX_STEPS + " operations");
    }

    /**
     * Equalities without all of which the value is zero; none where nothing of the kind is known, or the code is bad.
     *
     * @param registers turns the number of a register into the place of a general-purpose one in user_regs_struct, or −1
     */
    public List<Equality> needs(IntUnaryOperator registers) {
        try {
            return new Needs(code, registers).find();
        } catch (AgentException e) {
            // Evaluation will tell.
            return List.of();
        }
    }

    private static void arithmetic() {
        binary(0x02, (a, b) -> a + b);
        binary(0x03, (a, b) -> a - b);
        binary(0x04, (a, b) -> a * b);
        binary(0x05, (a, b) -> a / divisor(b));
        binary(0x06, (a, b) -> Long.divideUnsigned(a, divisor(b)));
        binary(0x07, (a, b) -> a % divisor(b));
        binary(0x08, (a, b) -> Long.remainderUnsigned(a, divisor(b)));
        binary(0x09, (a, b) -> tooFar(b) ? 0 : a << b);
        binary(0x0a, (a, b) -> a >> (tooFar(b) ? 63 : b));
        binary(0x0b, (a, b) -> tooFar(b) ? 0 : a >>> b);
        binary(0x0f, (a, b) -> a & b);
        binary(0x10, (a, b) -> a | b);
        binary(0x11, (a, b) -> a ^ b);
        unary(0x12, a -> ~a);
        OPERATIONS[0x16] = e -> e.push(signExtend(e.pop(), (int) e.operand(1)));
        OPERATIONS[0x2a] = e -> e.push(zeroExtend(e.pop(), (int) e.operand(1)));
    }

    private static void comparisons() {
        unary(0x0e, a -> a == 0 ? 1 : 0);
        binary(0x13, (a, b) -> a == b ? 1 : 0);
        binary(0x14, (a, b) -> a < b ? 1 : 0);
        binary(0x15, (a, b) -> Long.compareUnsigned(a, b) < 0 ? 1 : 0);
    }

    private static void constantsAndMemory() {
        for (int log = 0; log < 4; log++) {
            int bytes = 1 << log;
            OPERATIONS[0x17 + log] = e -> e.push(e.read(e.pop(), bytes));
            OPERATIONS[0x22 + log] = e -> e.push(e.operand(bytes));
        }
        OPERATIONS[0x26] = e -> e.push(e.register((int) e.operand(2)));
    }

    private static void stack() {
        OPERATIONS[0x28] = e -> e.push(e.peek(0));
        OPERATIONS[0x29] = Evaluation::pop;
        OPERATIONS[0x2b] = e -> {
            long top = e.pop();
            long below = e.pop();
            e.push(top);
            e.push(below);
        };
        OPERATIONS[0x32] = e -> e.push(e.peek((int) e.operand(1)));
        // a b c => c a b, as GDB's own server does it.
        OPERATIONS[0x33] = e -> {
            long c = e.pop();
            long b = e.pop();
            long a = e.pop();
            e.push(c);
            e.push(a);
            e.push(b);
        };
    }

    private static void control() {
        OPERATIONS[0x20] = e -> {
            int target = (int) e.operand(2);
            if (e.pop() != 0) {
                e.jump(target);
            }
        };
        OPERATIONS[0x21] = e -> e.jump((int) e.operand(2));
        OPERATIONS[0x27] = Evaluation::end;
    }

    private static void binary(int opcode, LongBinaryOperator operator) {
        OPERATIONS[opcode] = e -> {
            long right = e.pop();
            long left = e.pop();
            e.push(operator.applyAsLong(left, right));
        };
    }

    private static void unary(int opcode, LongUnaryOperator operator) {
        OPERATIONS[opcode] = e -> e.push(operator.applyAsLong(e.pop()));
    }

    private static long divisor(long value) {
        if (value == 0) {
            throw new AgentException("division by zero");
        }
        return value;
    }

    private static boolean tooFar(long shift) {
        return shift < 0 || shift > 63;
    }

    private static long signExtend(long value, int bits) {
        return bits == 0 || bits >= 64 ? value : value << 64 - bits >> 64 - bits;
    }

    private static long zeroExtend(long value, int bits) {
        return bits == 0 || bits >= 64 ? value : value & (1L << bits) - 1;
    }
}
