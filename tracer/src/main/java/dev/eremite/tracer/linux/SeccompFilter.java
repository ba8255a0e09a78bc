package dev.eremite.tracer.linux;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;

/**
 * Builds the classic BPF program (seccomp(2)) that stops a guest at every system call but those that need no stop. Calls
 * made from the engine's code page always pass. Calls by the 32-bit entry stop with {@link #FOREIGN_ABI} as their data.
 */
public final class SeccompFilter {
    /** SECCOMP_RET_DATA of a call that does not use the 64-bit interface. */
    public static final int FOREIGN_ABI = 1;

    private static final int RET_ALLOW = 0x7fff0000;
    private static final int RET_TRACE = 0x7ff00000;
    private static final int ARCH_X86_64 = 0xc000003e;
    private static final int LOAD_WORD = 0x20;
    private static final int JUMP_EQUAL = 0x15;
    private static final int RETURN = 0x06;
    private static final int OFFSET_NUMBER = 0;
    private static final int OFFSET_ARCH = 4;
    private static final int OFFSET_IP_LOW = 8;
    private static final int OFFSET_IP_HIGH = 12;

    private final List<long[]> instructions = new ArrayList<>();

    private SeccompFilter() {}

    /** The program as an array of struct sock_filter, 8 bytes each. */
    public static byte[] build(SortedSet<Integer> passed) {
        SeccompFilter filter = new SeccompFilter();
        filter.emit(LOAD_WORD, 0, 0, OFFSET_ARCH);
        filter.emit(JUMP_EQUAL, 1, 0, ARCH_X86_64);
        filter.emit(RETURN, 0, 0, RET_TRACE | FOREIGN_ABI);
        filter.emit(LOAD_WORD, 0, 0, OFFSET_IP_HIGH);
        filter.emit(JUMP_EQUAL, 0, 3, 0);
        filter.emit(LOAD_WORD, 0, 0, OFFSET_IP_LOW);
        // The kernel reports the address behind the syscall instruction.
        filter.emit(JUMP_EQUAL, 0, 1, EnginePage.SYSCALL + 2);
        filter.emit(RETURN, 0, 0, RET_ALLOW);
        filter.emit(LOAD_WORD, 0, 0, OFFSET_NUMBER);
        for (int number : passed) {
            filter.emit(JUMP_EQUAL, 0, 1, number);
            filter.emit(RETURN, 0, 0, RET_ALLOW);
        }
        filter.emit(RETURN, 0, 0, RET_TRACE);
        return filter.bytes();
    }

    private void emit(int code, int jumpTrue, int jumpFalse, long operand) {
        instructions.add(new long[] {code, jumpTrue, jumpFalse, operand});
    }

    private byte[] bytes() {
        ByteBuffer buffer = ByteBuffer.allocate(instructions.size() * 8).order(ByteOrder.LITTLE_ENDIAN);
        for (long[] i : instructions) {
            buffer.putShort((short) i[0]).put((byte) i[1]).put((byte) i[2]).putInt((int) i[3]);
        }
        return buffer.array();
    }
}
