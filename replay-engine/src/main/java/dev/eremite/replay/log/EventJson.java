package dev.eremite.replay.log;

import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.Landmark;
import dev.eremite.replay.event.Mapping;
import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.replay.event.RegisterProof;
import dev.eremite.replay.event.RegisterValue;
import dev.eremite.tracer.linux.Reg;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntFunction;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Shows events to programs, with all that they hold: addresses and machine words as "0x…" strings, since many readers
 * of JSON keep only 53 bits of a number; bytes in Base64.
 */
public final class EventJson {
    private static final JsonFactory FACTORY = new JsonFactory();

    private final IntFunction<String> syscallNames;

    /**
     * A printer.
     *
     * @param syscallNames the name of a system call's number; null for a number that it does not know
     */
    public EventJson(IntFunction<String> syscallNames) {
        this.syscallNames = syscallNames;
    }

    /** The event as one line, without its end. */
    public String line(long number, Event event) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
            write(json, number, event);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    /** Writes the event as one object. */
    public void write(JsonGenerator json, long number, Event event) {
        json.writeStartObject();
        json.writeNumberProperty("event", number);
        json.writeNumberProperty("task", event.task());
        switch (event) {
            case Event.Syscall e -> {
                json.writeStringProperty("kind", "syscall");
                call(json, e.number(), e.args());
                proof(json, e.proof());
                outcome(json, e.result(), e.stream(), e.writes(), e.effect());
            }
            case Event.SyscallEnter e -> {
                json.writeStringProperty("kind", "syscall-enter");
                call(json, e.number(), e.args());
                proof(json, e.proof());
                writes(json, "writes", e.writes());
            }
            case Event.SyscallExit e -> {
                json.writeStringProperty("kind", "syscall-exit");
                call(json, e.number(), null);
                outcome(json, e.result(), e.stream(), e.writes(), e.effect());
            }
            case Event.Instruction e -> {
                json.writeStringProperty("kind", "instruction");
                json.writeStringProperty("instruction", e.kind().name().toLowerCase(java.util.Locale.ROOT));
                proof(json, e.proof());
                json.writeObjectPropertyStart("results");
                for (RegisterValue result : e.results()) {
                    json.writeStringProperty(Reg.NAMES.get(result.register()), hex(result.value()));
                }
                json.writeEndObject();
            }
            case Event.ClockTrap e -> {
                json.writeStringProperty("kind", "clock-trap");
                json.writeNumberProperty("processor", e.processor());
            }
            case Event.Signal e -> signal(json, e);
            case Event.Preempt e -> {
                json.writeStringProperty("kind", "preempt");
                proof(json, e.proof());
                landmark(json, e.landmark());
            }
            case Event.TaskExit e -> {
                json.writeStringProperty("kind", "task-exit");
                json.writeNumberProperty("status", e.status());
                writes(json, "writes", e.writes());
            }
        }
        json.writeEndObject();
    }

    private void call(JsonGenerator json, int number, long[] args) {
        String name = syscallNames.apply(number);
        json.writeNumberProperty("number", number);
        if (name != null) {
            json.writeStringProperty("name", name);
        }
        if (args != null) {
            words(json, "args", args);
        }
    }

    private static void outcome(JsonGenerator json, long result, int stream, List<MemoryWrite> writes, Effect effect) {
        json.writeNumberProperty("result", result);
        if (stream != 0) {
            json.writeNumberProperty("stream", stream);
        }
        writes(json, "writes", writes);
        effect(json, effect);
    }

    private static String hex(long value) {
        return "0x" + Long.toHexString(value);
    }

    private static void word(JsonGenerator json, String name, long value) {
        json.writeStringProperty(name, hex(value));
    }

    private static void words(JsonGenerator json, String name, long... values) {
        json.writeName(name);
        json.writeStartArray();
        for (long value : values) {
            json.writeString(hex(value));
        }
        json.writeEndArray();
    }

    private static void proof(JsonGenerator json, RegisterProof proof) {
        word(json, "rip", proof.rip());
        word(json, "rsp", proof.rsp());
        word(json, "registerHash", Integer.toUnsignedLong(proof.hash()));
    }

    private static void writes(JsonGenerator json, String name, List<MemoryWrite> writes) {
        json.writeName(name);
        json.writeStartArray();
        for (MemoryWrite write : writes) {
            write(json, write);
        }
        json.writeEndArray();
    }

    private static void write(JsonGenerator json, MemoryWrite write) {
        json.writeStartObject();
        word(json, "address", write.address());
        json.writeBinaryProperty("bytes", write.bytes());
        json.writeEndObject();
    }

    private static void signal(JsonGenerator json, Event.Signal e) {
        json.writeStringProperty("kind", "signal");
        json.writeNumberProperty("signal", e.signal());
        json.writeStringProperty("origin", e.origin().name().toLowerCase(java.util.Locale.ROOT));
        proof(json, e.proof());
        json.writeBinaryProperty("siginfo", e.siginfo());
        if (e.landmark() != null) {
            landmark(json, e.landmark());
        }
        if (e.frame() != null) {
            json.writeName("frame");
            write(json, e.frame());
        }
        if (e.registers() != null) {
            words(json, "registers", e.registers());
        }
    }

    private static void landmark(JsonGenerator json, Landmark landmark) {
        json.writeName("landmark");
        json.writeStartObject();
        words(json, "registers", landmark.registers());
        words(json, "vectors", landmark.vectors());
        json.writeName("words");
        json.writeStartArray();
        for (Landmark.Word word : landmark.words()) {
            json.writeStartObject();
            word(json, "address", word.address());
            word(json, "value", word.value());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeName("spans");
        json.writeStartArray();
        for (Landmark.Span span : landmark.spans()) {
            json.writeStartObject();
            word(json, "address", span.address());
            json.writeNumberProperty("length", span.length());
            word(json, "hash", span.hash());
            json.writeEndObject();
        }
        json.writeEndArray();
        word(json, "fingerprint", landmark.fingerprint());
        json.writeEndObject();
    }

    private static void effect(JsonGenerator json, Effect effect) {
        if (effect instanceof Effect.None) {
            return;
        }
        json.writeName("effect");
        json.writeStartObject();
        switch (effect) {
            case Effect.None _ -> {}
            case Effect.Native _ -> json.writeStringProperty("kind", "native");
            case Effect.Map e -> {
                json.writeStringProperty("kind", "map");
                json.writeName("mapping");
                mapping(json, e.mapping());
            }
            case Effect.Spawn e -> {
                json.writeStringProperty("kind", "spawn");
                json.writeNumberProperty("child", e.child());
                json.writeNumberProperty("process", e.process());
                word(json, "flags", e.flags());
                word(json, "stack", e.stack());
                word(json, "tls", e.tls());
                word(json, "childTid", e.childTid());
            }
            case Effect.Exec e -> image(json, e.image());
            case Effect.Store e -> {
                json.writeStringProperty("kind", "store");
                json.writeNumberProperty("object", e.object());
                json.writeNumberProperty("size", e.size());
                json.writeNumberProperty("offset", e.offset());
                json.writeBinaryProperty("bytes", e.bytes());
            }
        }
        json.writeEndObject();
    }

    private static void image(JsonGenerator json, Effect.ExecImage image) {
        json.writeStringProperty("kind", "exec");
        json.writeStringProperty("path", image.path());
        json.writeName("mappings");
        json.writeStartArray();
        for (Mapping mapping : image.mappings()) {
            mapping(json, mapping);
        }
        json.writeEndArray();
        writes(json, "contents", image.contents());
        words(json, "registers", image.registers());
        json.writeBinaryProperty("auxv", image.auxv());
        word(json, "brk", image.brk());
    }

    private static void mapping(JsonGenerator json, Mapping mapping) {
        json.writeStartObject();
        word(json, "start", mapping.start());
        word(json, "length", mapping.length());
        json.writeNumberProperty("prot", mapping.prot());
        json.writeNumberProperty("flags", mapping.flags());
        json.writeStringProperty("name", mapping.name());
        switch (mapping.backing()) {
            case Mapping.Backing.Anonymous _ -> json.writeStringProperty("backing", "anonymous");
            case Mapping.Backing.Blob b -> {
                json.writeStringProperty("backing", "blob");
                json.writeStringProperty("blob", b.blob());
                word(json, "offset", b.offset());
            }
            case Mapping.Backing.Shared s -> {
                json.writeStringProperty("backing", "shared");
                json.writeNumberProperty("object", s.object());
                word(json, "offset", s.offset());
                word(json, "size", s.size());
                json.writeStringProperty("initial", s.initial());
            }
        }
        json.writeEndObject();
    }
}
