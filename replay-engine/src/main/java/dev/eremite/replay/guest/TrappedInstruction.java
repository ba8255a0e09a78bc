package dev.eremite.replay.guest;

import dev.eremite.replay.event.Event.Instruction.Kind;
import dev.eremite.tracer.linux.GuestMemory;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Tracee;
import java.util.Arrays;

/**
 * The instructions whose results come from the log, since they tell of the processor or the time: RDTSC, RDTSCP, CPUID,
 * RDRAND and RDSEED.
 *
 * <p>In mapped program files the first byte of their opcode, 0x0f, is replaced by {@link #TRAP}, which no 64-bit code can
 * contain as an opcode: it faults as undefined. In other code only those fault that the kernel can make fault
 * (prctl(2) PR_SET_TSC, arch_prctl(2) ARCH_SET_CPUID).
 */
public enum TrappedInstruction {
    RDTSC(Kind.RDTSC),
    RDTSCP(Kind.RDTSCP),
    CPUID(Kind.CPUID),
    RDRAND(Kind.RDRAND),
    RDSEED(Kind.RDSEED);

    /** The opcode of INTO, which is undefined in 64-bit mode. */
    public static final byte TRAP = (byte) 0xce;

    /** The first byte of the opcodes of all of them. */
    public static final byte ESCAPE = 0x0f;

    private static final int PREFIXES = 4;
    private static final int PAGE = 4096;
    private static final int SIGILL = 4;
    private static final int SIGSEGV = 11;

    /** The general-purpose registers in the order in which instructions number them. */
    private static final int[] NUMBERED = {
        Reg.RAX, Reg.RCX, Reg.RDX, Reg.RBX, Reg.RSP, Reg.RBP, Reg.RSI, Reg.RDI,
        Reg.R8, Reg.R9, Reg.R10, Reg.R11, Reg.R12, Reg.R13, Reg.R14, Reg.R15
    };

    private final Kind kind;

    TrappedInstruction(Kind kind) {
        this.kind = kind;
    }

    /**
     * One of them as it stands in memory.
     *
     * @param length bytes, prefixes included
     * @param register for RDRAND and RDSEED, the index in user_regs_struct of the register that they fill; else −1
     * @param size for RDRAND and RDSEED, how many bytes of it they fill: 2, 4 or 8
     */
    public record Found(TrappedInstruction instruction, int length, int register, int size) {}

    /** As named in the log. */
    public Kind kind() {
        return kind;
    }

    /** Whether the time stamp counter is its result. */
    public boolean readsClock() {
        return this == RDTSC || this == RDTSCP;
    }

    /** What the bytes after an escape byte or its replacement make of it; null when it is another. */
    public static TrappedInstruction ofOpcode(byte[] code, int escape, int limit) {
        if (escape + 1 >= limit) {
            return null;
        }
        int third = escape + 2 < limit ? code[escape + 2] & 0xff : 0;
        return switch (code[escape + 1] & 0xff) {
            case 0x31 -> RDTSC;
            case 0xa2 -> CPUID;
            case 0x01 -> third == 0xf9 ? RDTSCP : null;
            case 0xc7 -> third >= 0xf8 ? RDSEED : third >= 0xf0 ? RDRAND : null;
            default -> null;
        };
    }

    /**
     * The instruction that a task has faulted at, or null when it is another.
     *
     * @param signal what the fault raised: SIGILL for a replaced one, SIGSEGV for one that the kernel made fault
     */
    public static Found at(Tracee tracee, int signal, long address) {
        if (signal != SIGILL && signal != SIGSEGV) {
            return null;
        }
        byte[] code = tracee.memory().read(address, PREFIXES + 3);
        int at = 0;
        int size = 4;
        int extension = 0;
        while (at < code.length - 1 && at < PREFIXES && isPrefix(code[at])) {
            if (code[at] == 0x66) {
                size = 2;
            } else {
                extension = (code[at] & 1) << 3;
                size = (code[at] & 8) != 0 ? 8 : size;
            }
            at++;
        }
        if (at >= code.length || code[at] != (signal == SIGILL ? TRAP : ESCAPE)) {
            return null;
        }
        TrappedInstruction instruction = ofOpcode(code, at, code.length);
        return switch (instruction) {
            case null -> null;
            case RDTSC, CPUID -> new Found(instruction, at + 2, -1, 0);
            case RDTSCP -> new Found(instruction, at + 3, -1, 0);
            case RDRAND, RDSEED -> new Found(instruction, at + 3, NUMBERED[code[at + 2] & 7 | extension], size);
        };
    }

    /**
     * Replaces the opcodes' first bytes in memory, page by page: a write for each would cost four calls of the kernel,
     * and the dynamic linker of each program that starts has some sixty.
     *
     * @param places their addresses less the first argument, ascending
     * @return those at which an {@link #ESCAPE} stood and was replaced
     */
    public static long[] replace(GuestMemory memory, long start, long[] places) {
        long[] replaced = new long[places.length];
        int count = 0;
        for (int from = 0, to; from < places.length; from = to) {
            to = from + 1;
            while (to < places.length && (start + places[to]) / PAGE == (start + places[from]) / PAGE) {
                to++;
            }
            byte[] code = memory.read(start + places[from], (int) (places[to - 1] - places[from]) + 1);
            int before = count;
            for (int i = from; i < to; i++) {
                int at = (int) (places[i] - places[from]);
                if (at < code.length && code[at] == ESCAPE) {
                    code[at] = TRAP;
                    replaced[count++] = places[i];
                }
            }
            if (count > before) {
                memory.write(start + places[from], code);
            }
        }
        return Arrays.copyOf(replaced, count);
    }

    private static boolean isPrefix(byte octet) {
        return octet == 0x66 || (octet & 0xf0) == 0x40;
    }
}
