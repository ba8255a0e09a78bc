package dev.eremite.replay.record;

import dev.eremite.detcore.syscall.CallView;
import dev.eremite.detcore.syscall.Errno;
import dev.eremite.detcore.syscall.SyscallNumbers;
import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.tracer.linux.Sys;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.Tracer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Keeps guests on one processor where CPUID cannot be made to fault: the instruction tells the processor's number, which
 * replay could not repeat otherwise. Guests do not notice: their own affinity is answered as if they could be anywhere.
 */
final class ProcessorBinding {
    private static final int ARCH_SET_CPUID = 0x1012;

    private final Recorder recorder;
    private byte[] allowed;

    ProcessorBinding(Recorder recorder) {
        this.recorder = recorder;
    }

    /**
     * Binds the first task, from which all others inherit it.
     *
     * @return the processor's number plus 1, or 0 when there is no need to bind
     */
    long bind(Tracee stub) {
        if (stub.inject(Sys.ARCH_PRCTL, ARCH_SET_CPUID, 0) == 0) {
            return 0;
        }
        Tracer tracer = recorder.tracer();
        allowed = tracer.affinity(0);
        BitSet processors = BitSet.valueOf(allowed);
        int count = processors.cardinality();
        int processor = processors.nextSetBit(0);
        for (int skip = stub.tid() % count; skip > 0; skip--) {
            processor = processors.nextSetBit(processor + 1);
        }
        byte[] one = mask(processor, allowed.length);
        tracer.setAffinity(stub.tid(), one);
        // Guest and engine take turns: on one processor no turn needs to wake another one.
        tracer.setAffinity(0, one);
        return processor + 1L;
    }

    /** The mask of a single processor. */
    private static byte[] mask(int processor, int length) {
        byte[] mask = new byte[Math.max(length, processor / 8 + 1)];
        mask[processor / 8] = (byte) (1 << processor % 8);
        return mask;
    }

    /** Whether this call is answered here. */
    boolean handles(CallView call) {
        return allowed != null
                && (call.number() == SyscallNumbers.SCHED_SETAFFINITY
                        || call.number() == SyscallNumbers.SCHED_GETAFFINITY);
    }

    /** The result, its memory outputs added to the list; null when the call concerns a task that is not recorded. */
    Long answer(RecordedTask caller, CallView call, List<MemoryWrite> writes) {
        int tid = (int) call.arg(0);
        RecordedTask task = tid == 0 ? caller : recorder.task(tid);
        if (task == null) {
            return null;
        }
        int length = Math.clamp(call.arg(1), 0, allowed.length);
        if (call.number() == SyscallNumbers.SCHED_GETAFFINITY) {
            if (call.arg(1) < allowed.length || call.arg(1) % 8 != 0) {
                return (long) -Errno.EINVAL.number();
            }
            writes.add(new MemoryWrite(call.arg(2), (task.affinity == null ? allowed : task.affinity).clone()));
            return (long) allowed.length;
        }
        byte[] wanted = Arrays.copyOf(call.read(call.arg(2), length), allowed.length);
        boolean empty = true;
        for (int i = 0; i < wanted.length; i++) {
            wanted[i] = (byte) (wanted[i] & allowed[i]);
            empty &= wanted[i] == 0;
        }
        if (empty) {
            return (long) -Errno.EINVAL.number();
        }
        task.affinity = wanted;
        return 0L;
    }
}
