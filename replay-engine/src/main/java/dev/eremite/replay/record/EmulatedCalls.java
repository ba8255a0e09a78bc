package dev.eremite.replay.record;

import dev.eremite.detcore.syscall.CallView;
import dev.eremite.detcore.syscall.SyscallNumbers;
import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.tracer.linux.Tracer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Calls that the recorder answers at their entry, which saves a stop: the clocks that all processes share. */
final class EmulatedCalls {
    private static final int MADV_FREE = 8;
    private static final int ARCH_SET_CPUID = 0x1012;
    private static final int NANOS_PER_MICRO = 1000;

    private final Tracer tracer;
    private final long[] clock = new long[2];

    EmulatedCalls(Tracer tracer) {
        this.tracer = tracer;
    }

    /** Whether this call is answered here although its row says otherwise. */
    boolean handles(CallView call) {
        return switch (call.number()) {
            case SyscallNumbers.MADVISE -> call.arg(2) == MADV_FREE;
            case SyscallNumbers.ARCH_PRCTL -> call.arg(0) == ARCH_SET_CPUID;
            default -> false;
        };
    }

    /** The result, its memory outputs added to the list; null when the kernel has to answer. */
    Long answer(CallView call, List<MemoryWrite> writes) {
        return switch (call.number()) {
            case SyscallNumbers.CLOCK_GETTIME -> clockGettime(call, writes);
            case SyscallNumbers.GETTIMEOFDAY -> gettimeofday(call, writes);
            case SyscallNumbers.TIME -> time(call, writes);
            // Freed lazily or not is the kernel's whim, and it is only advice.
            case SyscallNumbers.MADVISE -> 0L;
            case SyscallNumbers.ARCH_PRCTL -> {
                long enodev = 19;
                yield -enodev;
            }
            default -> null;
        };
    }

    private Long clockGettime(CallView call, List<MemoryWrite> writes) {
        int id = (int) call.arg(0);
        boolean processorTime = id == 2 || id == 3 || id < 0;
        if (processorTime || id > 11 || tracer.clock(id, clock) != 0) {
            return null;
        }
        writes.add(pair(call.arg(1), clock[0], clock[1]));
        return 0L;
    }

    private Long gettimeofday(CallView call, List<MemoryWrite> writes) {
        tracer.clock(0, clock);
        if (call.arg(0) != 0) {
            writes.add(pair(call.arg(0), clock[0], clock[1] / NANOS_PER_MICRO));
        }
        return call.arg(1) == 0 ? 0L : null;
    }

    private Long time(CallView call, List<MemoryWrite> writes) {
        tracer.clock(0, clock);
        if (call.arg(0) != 0) {
            writes.add(new MemoryWrite(
                    call.arg(0),
                    ByteBuffer.allocate(8)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong(clock[0])
                            .array()));
        }
        return clock[0];
    }

    private static MemoryWrite pair(long address, long first, long second) {
        return new MemoryWrite(
                address,
                ByteBuffer.allocate(16)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(first)
                        .putLong(second)
                        .array());
    }
}
