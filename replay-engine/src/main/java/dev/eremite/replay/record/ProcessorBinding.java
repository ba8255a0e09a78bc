package dev.eremite.replay.record;

import dev.eremite.detcore.syscall.CallView;
import dev.eremite.detcore.syscall.Errno;
import dev.eremite.detcore.syscall.SyscallNumbers;
import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.tracer.linux.Sys;
import dev.eremite.tracer.linux.Tracee;
import java.util.Arrays;
import java.util.List;

/**
 * Keeps guests and the engine together on one processor, which may change until a guest runs code that is in no file where
 * CPUID cannot be made to fault: there the instruction tells the processor's number, which replay could not repeat
 * otherwise. Guests do not notice: their own affinity is answered as if they could be anywhere.
 */
final class ProcessorBinding {
    private static final int ARCH_SET_CPUID = 0x1012;
    private static final int ANY = -1;

    private final Recorder recorder;
    private byte[] allowed;
    private boolean cpuidFaults;

    ProcessorBinding(Recorder recorder) {
        this.recorder = recorder;
    }

    /** Before the first task, a stub that runs no guest code, executes its program. */
    void begin(Tracee stub) {
        cpuidFaults = stub.inject(Sys.ARCH_PRCTL, ARCH_SET_CPUID, 0) == 0;
        recorder.tracer().gather();
        allowed = recorder.tracer().allowedProcessors();
    }

    /**
     * Before the first code that is in no file.
     *
     * @return the number of the processor that guests stay on from now on; −1 when there is no need
     */
    int stay() {
        return cpuidFaults ? ANY : recorder.tracer().stay();
    }

    /** Whether this call is answered here. */
    boolean handles(CallView call) {
        return call.number() == SyscallNumbers.SCHED_SETAFFINITY || call.number() == SyscallNumbers.SCHED_GETAFFINITY;
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
