package dev.eremite.replay.record;

import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.tracer.linux.GuestMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Foretells what the kernel writes into guest memory when a task ends or executes another program: the cleared thread id
 * (set_tid_address(2)) and the robust futexes that it holds (get_robust_list(2)). After the end there may be nobody left
 * through whom the words could be read, while other processes still see them.
 */
final class DeathWrites {
    private static final int TID_MASK = 0x3fffffff;
    private static final int OWNER_DIED = 0x40000000;
    private static final int WAITERS = 0x80000000;

    /** The kernel's ROBUST_LIST_LIMIT. */
    private static final int ROBUST_LIMIT = 2048;

    private final ToIntFunction<RecordedTask> threads;

    /**
     * Foretells for tasks of one recording.
     *
     * @param threads how many tasks the process of a task has, itself included
     */
    DeathWrites(ToIntFunction<RecordedTask> threads) {
        this.threads = threads;
    }

    /** What the kernel will write when this stopped task ends now. */
    List<MemoryWrite> of(RecordedTask task) {
        List<MemoryWrite> writes = new ArrayList<>(2);
        if (task.robustList != 0) {
            addRobust(task, writes);
        }
        boolean seen = task.borrowsMemory || threads.applyAsInt(task) > 1;
        if (task.clearChildTid != 0 && seen && task.tracee.memory().read(task.clearChildTid, 4).length == 4) {
            writes.add(word(task.clearChildTid, 0));
        }
        return writes;
    }

    private static void addRobust(RecordedTask task, List<MemoryWrite> writes) {
        GuestMemory memory = task.tracee.memory();
        long head = task.robustList;
        long offset = memory.readLong(head + 8);
        long pending = memory.readLong(head + 16) & ~1L;
        long entry = memory.readLong(head) & ~1L;
        for (int i = 0; i < ROBUST_LIMIT && entry != head && entry != 0; i++) {
            if (entry != pending) {
                addLock(task, entry + offset, writes);
            }
            entry = memory.readLong(entry) & ~1L;
        }
        if (pending != 0) {
            addLock(task, pending + offset, writes);
        }
    }

    private static void addLock(RecordedTask task, long address, List<MemoryWrite> writes) {
        int value = task.tracee.memory().readInt(address);
        if ((value & TID_MASK) == task.tid) {
            writes.add(word(address, value & WAITERS | OWNER_DIED));
        }
    }

    private static MemoryWrite word(long address, int value) {
        return new MemoryWrite(
                address,
                ByteBuffer.allocate(4)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(value)
                        .array());
    }
}
