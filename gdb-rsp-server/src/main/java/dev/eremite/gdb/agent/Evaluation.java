package dev.eremite.gdb.agent;

/** One run of an agent expression: its program counter and its stack. */
final class Evaluation {
    private static final int MAX_DEPTH = 512;

    private final byte[] code;
    private final AgentMachine machine;
    private final long[] stack = new long[MAX_DEPTH];
    private int depth;
    private int pc;
    private boolean ended;

    Evaluation(byte[] code, AgentMachine machine) {
        this.code = code;
        this.machine = machine;
    }

    /** Takes the next bytes of the code as a big-endian number. */
    long operand(int bytes) {
        if (pc + bytes > code.length) {
            throw new AgentException("code ends without an end operation");
        }
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value = value << 8 | code[pc++] & 0xFF;
        }
        return value;
    }

    void push(long value) {
        if (depth == MAX_DEPTH) {
            throw new AgentException("stack overflow");
        }
        stack[depth++] = value;
    }

    long pop() {
        long value = peek(0);
        depth--;
        return value;
    }

    /** The value {@code below} places under the top. */
    long peek(int below) {
        if (below >= depth) {
            throw new AgentException("stack underflow");
        }
        return stack[depth - 1 - below];
    }

    /** Reads a little-endian number of guest memory. */
    long read(long address, int bytes) {
        byte[] memory = machine.read(address, bytes);
        if (memory.length < bytes) {
            throw new AgentException("memory not mapped at 0x" + Long.toHexString(address));
        }
        long value = 0;
        for (int i = bytes - 1; i >= 0; i--) {
            value = value << 8 | memory[i] & 0xFF;
        }
        return value;
    }

    long register(int number) {
        return machine.register(number);
    }

    void jump(int target) {
        if (target >= code.length) {
            throw new AgentException("jump out of the code");
        }
        pc = target;
    }

    void end() {
        ended = true;
    }

    boolean ended() {
        return ended;
    }
}
