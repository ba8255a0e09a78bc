package dev.eremite.replay.record;

import dev.eremite.detcore.syscall.SyscallDecoder;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Tracer;
import dev.eremite.tracer.linux.WaitStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What a recording cost: how often tasks stopped, and for what, and how long they were waited for. The stops that the
 * handling of one causes, as those of a call that the engine makes in the guest, count with it. Calls that pass without a
 * stop are not seen at all.
 */
public final class RecordCosts {
    /**
     * Stops of one cause.
     *
     * @param name the system call, or words for what is none
     * @param times how often it came
     * @param stops how many stops that took
     */
    public record Count(String name, long times, long stops) {}

    private static final int CALLS = 512;
    private static final int INSTRUCTIONS = CALLS;
    private static final int SIGNALS = CALLS + 1;
    private static final int INTERRUPTIONS = CALLS + 2;
    private static final int ENDS = CALLS + 3;
    private static final int OTHERS = CALLS + 4;
    private static final String[] NAMES = {
        "trapped instructions and faults", "signals", "interruptions by the engine", "ends of tasks", "others"
    };

    /** What instructions raise that have been replaced; those that the kernel makes fault raise the other. */
    private static final int SIGILL = 4;

    private static final int SIGSEGV = 11;

    private final Tracer tracer;
    private final long[] times = new long[CALLS + NAMES.length];
    private final long[] stops = new long[CALLS + NAMES.length];

    RecordCosts(Tracer tracer) {
        this.tracer = tracer;
    }

    /** What a stop is for; to be asked before it is handled. */
    int cause(RecordedTask task, WaitStatus stop) {
        return switch (stop.event()) {
            case WaitStatus.EVENT_SECCOMP -> call((int) task.tracee.registersView()[Reg.ORIG_RAX]);
            case WaitStatus.EVENT_FORK,
                    WaitStatus.EVENT_VFORK,
                    WaitStatus.EVENT_CLONE,
                    WaitStatus.EVENT_EXEC,
                    WaitStatus.EVENT_VFORK_DONE -> callOf(task);
            case WaitStatus.EVENT_EXIT -> ENDS;
            case WaitStatus.EVENT_STOP -> INTERRUPTIONS;
            default -> {
                if (stop.ended()) {
                    yield ENDS;
                }
                if (stop.syscallStop()) {
                    yield callOf(task);
                }
                yield stop.signal() == SIGSEGV || stop.signal() == SIGILL ? INSTRUCTIONS : SIGNALS;
            }
        };
    }

    private static int callOf(RecordedTask task) {
        return task.call == null ? OTHERS : call(task.call.view.number());
    }

    private static int call(int number) {
        return number >= 0 && number < CALLS ? number : OTHERS;
    }

    /**
     * Counts a stop that has been handled.
     *
     * @param before how many stops there had been when its handling began
     */
    void count(int cause, WaitStatus stop, long before) {
        // A call begins with its seccomp stop; the rest of its stops is the same call. A task that ends stops twice.
        boolean first = cause < CALLS ? stop.event() == WaitStatus.EVENT_SECCOMP : cause != ENDS || !stop.ended();
        times[cause] += first ? 1 : 0;
        stops[cause] += 1 + tracer.stops() - before;
    }

    /** All stops of guest tasks, with those that belong to no cause, as when a recording begins and ends. */
    public long totalStops() {
        return tracer.stops();
    }

    /** How long the engine waited for the guest, in nanoseconds: its tasks ran, or waited themselves. */
    public long waitedNanos() {
        return tracer.waitedNanos();
    }

    /** The causes that there were, the most frequent first. */
    public List<Count> counts() {
        SyscallDecoder decoder = SyscallDecoder.linux();
        List<Count> counts = new ArrayList<>();
        for (int cause = 0; cause < stops.length; cause++) {
            if (stops[cause] > 0) {
                String name = cause < CALLS ? decoder.name(cause) : NAMES[cause - CALLS];
                counts.add(new Count(name, times[cause], stops[cause]));
            }
        }
        counts.sort(Comparator.comparingLong(Count::stops).reversed().thenComparing(Count::name));
        return counts;
    }
}
