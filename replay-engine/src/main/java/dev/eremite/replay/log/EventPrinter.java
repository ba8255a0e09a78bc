package dev.eremite.replay.log;

import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.Landmark;
import dev.eremite.replay.event.Mapping;
import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.replay.event.RegisterValue;
import dev.eremite.tracer.linux.Reg;
import java.util.List;
import java.util.function.IntFunction;

/** Shows events to people: one line each. */
public final class EventPrinter {
    private static final int MOST_BYTES = 32;

    private final IntFunction<String> syscallNames;

    /**
     * A printer.
     *
     * @param syscallNames the name of a system call's number; null for a number that it does not know
     */
    public EventPrinter(IntFunction<String> syscallNames) {
        this.syscallNames = syscallNames;
    }

    /** The event in one line, without its end. */
    public String line(long number, Event event) {
        StringBuilder text = new StringBuilder()
                .append(number)
                .append(" [")
                .append(event.task())
                .append("] ");
        switch (event) {
            case Event.Syscall e -> {
                call(text, e.number(), e.args());
                outcome(text, e.result(), e.stream(), e.writes(), e.effect());
            }
            case Event.SyscallEnter e -> {
                call(text, e.number(), e.args());
                text.append(" waits");
                writes(text, e.writes());
            }
            case Event.SyscallExit e -> {
                text.append("… ").append(name(e.number()));
                outcome(text, e.result(), e.stream(), e.writes(), e.effect());
            }
            case Event.Instruction e -> {
                text.append(e.kind().name().toLowerCase(java.util.Locale.ROOT));
                text.append(" at ").append(hex(e.proof().rip())).append(":");
                for (RegisterValue result : e.results()) {
                    text.append(' ').append(Reg.NAMES.get(result.register()));
                    text.append('=').append(hex(result.value()));
                }
            }
            case Event.ClockTrap _ -> text.append("rdtsc faults from here on");
            case Event.Signal e -> signal(text, e);
            case Event.Preempt e -> landmark(text.append("preempted"), e.landmark());
            case Event.TaskExit e -> {
                int deadly = e.status() & 0x7F;
                text.append(deadly == 0 ? "exits with status " : "is killed by signal ");
                text.append(deadly == 0 ? e.status() >> 8 & 0xFF : deadly);
                writes(text, e.writes());
            }
        }
        return text.toString();
    }

    private String name(int number) {
        String name = syscallNames.apply(number);
        return name == null ? "syscall_" + number : name;
    }

    static String hex(long value) {
        return "0x" + Long.toHexString(value);
    }

    private void call(StringBuilder text, int number, long[] args) {
        text.append(name(number));
        for (int i = 0; i < args.length; i++) {
            text.append(i == 0 ? '(' : ' ').append(hex(args[i]));
        }
        text.append(')');
    }

    private static void outcome(StringBuilder text, long result, int stream, List<MemoryWrite> writes, Effect effect) {
        text.append(" = ").append(result < -4096 || result > 1 << 30 ? hex(result) : Long.toString(result));
        if (stream != 0) {
            text.append(stream == 1 ? " to stdout" : " to stderr");
        }
        writes(text, writes);
        effect(text, effect);
    }

    private static void writes(StringBuilder text, List<MemoryWrite> writes) {
        for (MemoryWrite write : writes) {
            text.append(", ")
                    .append(hex(write.address()))
                    .append(" ← ")
                    .append(write.bytes().length)
                    .append(" bytes ");
            excerpt(text, write.bytes());
        }
    }

    private static void excerpt(StringBuilder text, byte[] bytes) {
        text.append('"');
        for (int i = 0; i < Math.min(bytes.length, MOST_BYTES); i++) {
            int value = bytes[i] & 0xFF;
            if (value == '\n') {
                text.append("\\n");
            } else if (value == '"' || value == '\\') {
                text.append('\\').append((char) value);
            } else if (value >= ' ' && value < 0x7F) {
                text.append((char) value);
            } else {
                text.append("\\x%02x".formatted(value));
            }
        }
        text.append(bytes.length > MOST_BYTES ? "\"…" : "\"");
    }

    private static void effect(StringBuilder text, Effect effect) {
        switch (effect) {
            case Effect.None _ -> {}
            case Effect.Native _ -> text.append(", runs natively");
            case Effect.Map e -> mapping(text.append(", maps "), e.mapping());
            case Effect.Store e -> {
                text.append(", object ")
                        .append(e.object())
                        .append(" of ")
                        .append(e.size())
                        .append(" bytes, from ");
                text.append(e.offset()).append(' ').append(e.bytes().length).append(" bytes ");
                excerpt(text, e.bytes());
            }
            case Effect.Spawn e ->
                text.append(", new task ")
                        .append(e.child())
                        .append(" of process ")
                        .append(e.process());
            case Effect.Exec e ->
                text.append(", executes ")
                        .append(e.image().path())
                        .append(" in ")
                        .append(e.image().mappings().size())
                        .append(" mappings");
        }
    }

    private static void mapping(StringBuilder text, Mapping mapping) {
        text.append(hex(mapping.start())).append('–').append(hex(mapping.start() + mapping.length()));
        if (!mapping.name().isEmpty()) {
            text.append(' ').append(mapping.name());
        }
        switch (mapping.backing()) {
            case Mapping.Backing.Anonymous _ -> {}
            case Mapping.Backing.Blob b ->
                text.append(" of blob ")
                        .append(b.blob(), 0, Math.min(12, b.blob().length()));
            case Mapping.Backing.Shared s -> text.append(" of shared object ").append(s.object());
        }
    }

    private static void signal(StringBuilder text, Event.Signal e) {
        text.append("signal ").append(e.signal());
        text.append(e.origin() == Event.Signal.Origin.SYNCHRONOUS ? " by its own code" : "");
        text.append(" at ").append(hex(e.proof().rip()));
        text.append(e.registers() == null ? ", deadly" : ", handled");
        if (e.landmark() != null) {
            landmark(text, e.landmark());
        }
    }

    private static void landmark(StringBuilder text, Landmark landmark) {
        // user_regs_struct has rip at index 16.
        if (landmark.registers().length > 16) {
            text.append(", landmark ").append(hex(landmark.registers()[16]));
        }
        for (Landmark.Word word : landmark.words()) {
            text.append(" [").append(hex(word.address())).append("]=").append(hex(word.value()));
        }
    }
}
