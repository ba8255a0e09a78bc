package dev.eremite.tracer.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The processors that a task may run on, as the kernel's mask (sched_setaffinity(2)): bit n of the little-endian bytes
 * stands for processor n. May be used from any thread.
 */
final class Affinity {
    private static final int MOST_BYTES = 1024;

    private Affinity() {}

    /** The mask of a task. */
    static byte[] of(int tid) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment capture = Libc.newCapture(arena);
            MemorySegment mask = arena.allocate(MOST_BYTES, 8);
            long length = Libc.syscall(capture, Sys.SCHED_GETAFFINITY, tid, MOST_BYTES, mask.address(), 0, 0, 0);
            if (length < 0) {
                throw new TracerException("sched_getaffinity", Libc.errno(capture));
            }
            return mask.asSlice(0, length).toArray(JAVA_BYTE);
        }
    }

    /** Sets the mask of a task; without effect where the kernel refuses, or the task is gone. */
    static void set(int tid, byte[] mask) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocateFrom(JAVA_BYTE, mask);
            Libc.syscall(Libc.newCapture(arena), Sys.SCHED_SETAFFINITY, tid, mask.length, memory.address(), 0, 0, 0);
        }
    }

    /** The processor that the calling thread is on (getcpu(2)). */
    static int current() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment capture = Libc.newCapture(arena);
            MemorySegment number = arena.allocate(8, 8);
            if (Libc.syscall(capture, Sys.GETCPU, number.address(), 0, 0, 0, 0, 0) < 0) {
                throw new TracerException("getcpu", Libc.errno(capture));
            }
            return number.get(JAVA_INT, 0);
        }
    }

    /** The mask of a single processor, of at least that many bytes. */
    static byte[] mask(int processor, int length) {
        byte[] mask = new byte[Math.max(length, processor / 8 + 1)];
        mask[processor / 8] = (byte) (1 << processor % 8);
        return mask;
    }
}
