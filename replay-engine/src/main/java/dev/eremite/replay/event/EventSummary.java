package dev.eremite.replay.event;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** Events as lines for people: for dumps of a recording and for reports of divergences. */
public final class EventSummary {
    private static final long ERRNO_LIMIT = 4095;
    private static final int STATUS_SIGNAL = 0x7f;

    private final IntFunction<String> callName;

    /** Summaries that name system calls so, by number. */
    public EventSummary(IntFunction<String> callName) {
        this.callName = callName;
    }

    /** The event in one line: task, what happened, results. */
    public String line(Event event) {
        String what = switch (event) {
            case Event.Syscall e ->
                call(e.number(), e.args()) + " = " + result(e.result()) + writes(e.writes()) + stream(e.stream())
                        + effect(e.effect());
            case Event.SyscallEnter e -> call(e.number(), e.args()) + " waits" + writes(e.writes());
            case Event.SyscallExit e ->
                callName.apply(e.number()) + " ends = " + result(e.result()) + writes(e.writes()) + stream(e.stream())
                        + effect(e.effect());
            case Event.Instruction e ->
                "%s = rax %#x rbx %#x rcx %#x rdx %#x".formatted(e.kind(), e.rax(), e.rbx(), e.rcx(), e.rdx());
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

    private String call(int number, long[] args) {
        StringBuilder text = new StringBuilder(callName.apply(number)).append('(');
        for (int i = 0; i < args.length; i++) {
            text.append(i == 0 ? "" : ", ").append("0x").append(Long.toHexString(args[i]));
        }
        return text.append(')').toString();
    }

    private static String result(long result) {
        return result < 0 && result >= -ERRNO_LIMIT ? "error " + -result : "0x" + Long.toHexString(result);
    }

    private static String writes(List<MemoryWrite> writes) {
        return writes.isEmpty()
                ? ""
                : writes.stream()
                        .map(write -> "%d bytes at %#x".formatted(write.bytes().length, write.address()))
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
