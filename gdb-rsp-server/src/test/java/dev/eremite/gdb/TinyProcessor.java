package dev.eremite.gdb;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Runs the handful of instructions that the tiny program consists of. */
final class TinyProcessor {
    /** Indices in user_regs_struct of rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi: the order of instruction encodings. */
    private static final int[] ENCODING = {10, 11, 12, 5, 19, 4, 13, 14};

    static final int RBP = 4;
    static final int RIP = 16;
    static final int FLAGS = 18;
    static final int RSP = 19;
    private static final long ZERO_FLAG = 0x40;

    /** A memory access of eight bytes. */
    record Access(boolean write, long address, long before, long after) {}

    private final TraceMemory memory;
    private final long[] registers;
    private Access access;

    private TinyProcessor(TraceMemory memory, long[] registers) {
        this.memory = memory;
        this.registers = registers;
    }

    /** Runs the instruction at rip, changing registers and memory; returns its memory access or null. */
    static Access step(TraceMemory memory, long[] registers) {
        TinyProcessor processor = new TinyProcessor(memory, registers);
        processor.step();
        return processor.access;
    }

    private void step() {
        ByteBuffer code = ByteBuffer.wrap(memory.read(registers[RIP], 16)).order(ByteOrder.LITTLE_ENDIAN);
        int opcode = code.get(0) & 0xFF;
        switch (opcode) {
            case 0x48 -> wide(code);
            case 0x75 -> next(2 + ((registers[FLAGS] & ZERO_FLAG) == 0 ? code.get(1) : 0));
            case 0xeb -> next(2 + code.get(1));
            case 0x90 -> next(1);
            case 0xe8 -> {
                registers[RSP] -= 8;
                write(registers[RSP], registers[RIP] + 5);
                next(5 + code.getInt(1));
            }
            case 0xc3 -> {
                registers[RIP] = read(registers[RSP]);
                registers[RSP] += 8;
            }
            default -> throw new IllegalStateException("opcode " + Integer.toHexString(opcode));
        }
    }

    private void wide(ByteBuffer code) {
        int opcode = code.get(1) & 0xFF;
        int modrm = code.get(2) & 0xFF;
        int reg = ENCODING[modrm >> 3 & 7];
        int rm = ENCODING[modrm & 7];
        switch (opcode) {
            case 0xc7 -> {
                registers[rm] = code.getInt(3);
                next(7);
            }
            case 0x8b -> {
                registers[reg] = read(registers[RIP] + 7 + code.getInt(3));
                next(7);
            }
            case 0x89 -> {
                write(registers[RIP] + 7 + code.getInt(3), registers[reg]);
                next(7);
            }
            case 0x01 -> {
                result(rm, registers[rm] + registers[reg]);
                next(3);
            }
            case 0xff -> {
                result(rm, registers[rm] + ((modrm >> 3 & 7) == 0 ? 1 : -1));
                next(3);
            }
            default -> throw new IllegalStateException("opcode 48 " + Integer.toHexString(opcode));
        }
    }

    private void result(int register, long value) {
        registers[register] = value;
        registers[FLAGS] = value == 0 ? registers[FLAGS] | ZERO_FLAG : registers[FLAGS] & ~ZERO_FLAG;
    }

    private void next(int bytes) {
        registers[RIP] += bytes;
    }

    private long read(long address) {
        long value = memory.word(address);
        access = new Access(false, address, value, value);
        return value;
    }

    private void write(long address, long value) {
        access = new Access(true, address, memory.word(address), value);
        memory.word(address, value);
    }
}
