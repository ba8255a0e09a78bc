package dev.eremite.replay.event;

import dev.eremite.detcore.syscall.SyscallDecoder;
import dev.eremite.tracer.linux.Reg;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Events as lines for people. Calls read as in {@code eremite strace}; of the memory that they point to, an event has
 * what the kernel wrote, and the rest is told as addresses.
 */
public final class EventSummary {
    private static final int STATUS_SIGNAL = 0x7f;

    private final SyscallDecoder decoder;

    /** The calls that wait, by task: their ends do not tell the arguments. */
    private final Map<Integer, Event.SyscallEnter> waiting = new HashMap<>();

    /** Summaries of events that are given in their order, of all or of some. */
    public EventSummary(SyscallDecoder decoder) {
        this.decoder = decoder;
    }

    /** The event in one line: task, what happened, results. */
    public String line(Event event) {
        String what = switch (event) {
            case Event.Syscall e ->
                call(e.number(), e.args(), e.result(), e.writes(), e.effect())
                        + rest(e.writes(), e.stream(), e.effect());
            case Event.SyscallEnter e -> {
                waiting.put(e.task(), e);
                yield decoder.entry(new RecordedCall(e.number(), e.args(), 0, e.writes())) + " waits"
                        + writes(e.writes());
            }
            case Event.SyscallExit e -> ended(e) + rest(e.writes(), e.stream(), e.effect());
            case Event.Instruction e ->
                e.kind()
                        + e.results().stream()
                                .map(r -> " %s=%#x".formatted(Reg.NAMES.get(r.register()), r.value()))
                                .collect(Collectors.joining());
            case Event.ClockTrap _ -> "RDTSC faults from here on";
            case Event.Signal e ->
                "signal %d, %s%s%s"
                        .formatted(
                                e.signal(),
                                e.origin() == Event.Signal.Origin.SYNCHRONOUS ? "synchronous" : "asynchronous",
                                e.frame() == null ? ", deadly" : ", handled",
                                landmark(e.landmark()));
            case Event.Preempt e -> "preempted" + landmark(e.landmark());
            case Event.TaskExit e -> exit(e.status()) + writes(e.writes());
        };
        return event.task() + " " + what;
    }

    private String call(int number, long[] args, long result, List<MemoryWrite> writes, Effect effect) {
        RecordedCall call = effect instanceof Effect.Exec exec
                ? RecordedCall.ofExec(number, exec.image())
                : new RecordedCall(number, args, result, writes);
        return decoder.complete(call);
    }

    private String ended(Event.SyscallExit exit) {
        Event.SyscallEnter enter = waiting.remove(exit.task());
        if (enter == null) {
            RecordedCall call = new RecordedCall(exit.number(), new long[6], exit.result(), List.of());
            return decoder.name(exit.number()) + " ends = " + decoder.result(call);
        }
        return call(exit.number(), enter.args(), exit.result(), exit.writes(), exit.effect());
    }

    private static String rest(List<MemoryWrite> writes, int stream, Effect effect) {
        return writes(writes) + stream(stream) + effect(effect);
    }

    private static String writes(List<MemoryWrite> writes) {
        return writes.isEmpty()
                ? ""
                : writes.stream()
                        .map(write -> write.address() == Event.OUTPUT
                                ? "%d bytes of output".formatted(write.bytes().length)
                                : "%d bytes at %#x".formatted(write.bytes().length, write.address()))
                        .collect(Collectors.joining(", ", "; writes ", ""));
    }

    private static String stream(int stream) {
        return switch (stream) {
            case 0 -> "";
            case 1 -> "; to stdout";
            case 2 -> "; to stderr";
            default -> "; to stream " + stream;
        };
    }

    private static String effect(Effect effect) {
        return switch (effect) {
            case Effect.None _ -> "";
            case Effect.Native _ -> "; runs in replay";
            case Effect.Map e -> "; maps " + mapping(e.mapping());
            case Effect.Store e ->
                "; object %d: %d bytes at %#x, size %d".formatted(e.object(), e.bytes().length, e.offset(), e.size());
            case Effect.Spawn e -> "; task %d of process %d, flags %#x".formatted(e.child(), e.process(), e.flags());
            case Effect.Exec e ->
                "; program %s, %d mappings"
                        .formatted(e.image().path(), e.image().mappings().size());
        };
    }

    private static String mapping(Mapping mapping) {
        return "%#x-%#x %s"
                .formatted(
                        mapping.start(),
                        mapping.start() + mapping.length(),
                        mapping.name().isEmpty() ? "anonymous" : mapping.name());
    }

    private static String landmark(Landmark landmark) {
        return landmark == null
                ? " at a boundary"
                : " in the middle of code, told apart by registers and %d words"
                        .formatted(landmark.words().size());
    }

    private static String exit(int status) {
        int signal = status & STATUS_SIGNAL;
        return signal == 0 ? "ends with status " + (status >> 8 & 0xff) : "killed by signal " + signal;
    }
}
