package dev.eremite.replay.log;

import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.Landmark;
import dev.eremite.replay.event.Mapping;
import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.replay.event.RegisterProof;
import dev.eremite.replay.event.RegisterValue;
import java.util.HexFormat;
import java.util.List;

/**
 * Turns events into the bytes of {@code docs/recording-format.md}. Each event stands for itself; what repeats is in the
 * bulk file, not in another event, so that any can be read alone. One thread.
 */
final class EventEncoder implements AutoCloseable {
    private final ByteWriter out;
    private final BulkFile bulk;
    private final Compressor compressor = new Compressor();
    private final ByteWriter scratch = new ByteWriter();
    private final RepeatedData repeated = new RepeatedData();

    EventEncoder(ByteWriter out, BulkFile bulk) {
        this.out = out;
        this.bulk = bulk;
    }

    /** Writes the event at the buffer's position. */
    void encode(Event event) {
        switch (event) {
            case Event.Syscall e -> syscall(e);
            case Event.SyscallEnter e -> {
                head(WireIds.SYSCALL_ENTER, e.task());
                out.zigzag(e.number());
                proofAndWords(e.proof(), six(e.args()));
                writeList(e.writes(), null, 0);
            }
            case Event.SyscallExit e -> {
                head(WireIds.SYSCALL_EXIT, e.task());
                out.zigzag(e.number());
                out.u8(flags(e.stream(), e.effect(), e.writes()));
                out.zigzag(e.result());
                writes(e.writes(), null, e.result());
                effect(e.effect());
            }
            case Event.Instruction e -> {
                head(WireIds.INSTRUCTION, e.task());
                out.u8(
                        switch (e.kind()) {
                            case RDTSC -> WireIds.RDTSC;
                            case RDTSCP -> WireIds.RDTSCP;
                            case CPUID -> WireIds.CPUID;
                            case RDRAND -> WireIds.RDRAND;
                            case RDSEED -> WireIds.RDSEED;
                        });
                proofAndWords(e.proof(), new long[0]);
                out.varint(e.results().size());
                for (RegisterValue result : e.results()) {
                    out.u8(result.register());
                    out.zigzag(result.value());
                }
            }
            case Event.ClockTrap e -> {
                head(WireIds.CLOCK_TRAP, e.task());
                out.varint(e.processor() + 1L);
            }
            case Event.Signal e -> signal(e);
            case Event.Preempt e -> {
                head(WireIds.PREEMPT, e.task());
                proofAndWords(e.proof(), new long[0]);
                landmark(e.landmark());
            }
            case Event.TaskExit e -> {
                head(WireIds.TASK_EXIT, e.task());
                out.varint(Integer.toUnsignedLong(e.status()));
                writes(e.writes(), null, 0);
            }
        }
    }

    private void head(int kind, int task) {
        out.u8(kind);
        out.zigzag(task);
    }

    private void syscall(Event.Syscall e) {
        head(WireIds.SYSCALL, e.task());
        out.zigzag(e.number());
        out.u8(flags(e.stream(), e.effect(), e.writes()));
        proofAndWords(e.proof(), six(e.args()));
        out.zigzag(e.result());
        writes(e.writes(), e.args(), e.result());
        effect(e.effect());
    }

    private void signal(Event.Signal e) {
        head(WireIds.SIGNAL, e.task());
        out.u8(e.signal());
        int parts = (e.landmark() != null ? WireIds.HAS_LANDMARK : 0)
                | (e.frame() != null ? WireIds.HAS_FRAME : 0)
                | (e.registers() != null ? WireIds.HAS_REGISTERS : 0);
        out.u8(parts
                | switch (e.origin()) {
                    case SYNCHRONOUS -> WireIds.SYNCHRONOUS;
                    case ASYNCHRONOUS -> WireIds.ASYNCHRONOUS;
                });
        proofAndWords(e.proof(), new long[0]);
        data(e.siginfo(), 0);
        if (e.landmark() != null) {
            landmark(e.landmark());
        }
        if (e.frame() != null) {
            write(e.frame(), null, 0);
        }
        if (e.registers() != null) {
            registers(e.registers());
        }
    }

    /** Two bits for the stream, three for the effect's kind, one for whether a list of writes follows. */
    private static int flags(int stream, Effect effect, List<MemoryWrite> writes) {
        if (stream < 0 || stream > 3) {
            throw new IllegalArgumentException("stream " + stream);
        }
        int kind = switch (effect) {
            case Effect.None _ -> WireIds.NONE;
            case Effect.Native _ -> WireIds.NATIVE;
            case Effect.Map _ -> WireIds.MAP;
            case Effect.Store _ -> WireIds.STORE;
            case Effect.Spawn _ -> WireIds.SPAWN;
            case Effect.Exec _ -> WireIds.EXEC;
        };
        return stream | kind << WireIds.EFFECT_SHIFT | (writes.isEmpty() ? 0 : WireIds.HAS_WRITES);
    }

    private static long[] six(long[] args) {
        if (args.length != 6) {
            throw new IllegalArgumentException(args.length + " arguments");
        }
        return args;
    }

    private void proofAndWords(RegisterProof proof, long[] words) {
        out.u32(proof.hash());
        out.beginWords(2 + words.length);
        out.word(proof.rip());
        out.word(proof.rsp());
        for (long word : words) {
            out.word(word);
        }
    }

    private void registers(long[] registers) {
        out.varint(registers.length);
        out.words(registers);
    }

    private void landmark(Landmark landmark) {
        registers(landmark.registers());
        registers(landmark.vectors());
        out.varint(landmark.words().size());
        for (Landmark.Word word : landmark.words()) {
            out.beginWords(2);
            out.word(word.address());
            out.word(word.value());
        }
        out.varint(landmark.spans().size());
        for (Landmark.Span span : landmark.spans()) {
            out.beginWords(2);
            out.word(span.address());
            out.word(span.length());
            out.u64(span.hash());
        }
        out.u64(landmark.fingerprint());
    }

    private void effect(Effect effect) {
        switch (effect) {
            case Effect.None _, Effect.Native _ -> {}
            case Effect.Map e -> mapping(e.mapping());
            case Effect.Store e -> {
                out.zigzag(e.object());
                out.varint(e.size());
                out.varint(e.offset());
                data(e.bytes(), 0);
            }
            case Effect.Spawn e -> {
                out.zigzag(e.child());
                out.zigzag(e.process());
                out.beginWords(4);
                out.word(e.flags());
                out.word(e.stack());
                out.word(e.tls());
                out.word(e.childTid());
                out.zigzag(e.ownTid());
            }
            case Effect.Exec e -> image(e.image());
        }
    }

    private void image(Effect.ExecImage image) {
        out.string(image.path());
        out.varint(image.mappings().size());
        for (Mapping mapping : image.mappings()) {
            mapping(mapping);
        }
        registers(image.registers());
        data(image.auxv(), 0);
        out.varint(image.brk());
        writeList(image.contents(), null, 0);
    }

    private void mapping(Mapping mapping) {
        out.beginWords(2);
        out.word(mapping.start());
        out.word(mapping.length());
        out.zigzag(mapping.prot());
        out.zigzag(mapping.flags());
        out.string(mapping.name());
        switch (mapping.backing()) {
            case Mapping.Backing.Anonymous _ -> out.u8(WireIds.ANONYMOUS);
            case Mapping.Backing.Blob b -> {
                out.u8(WireIds.BLOB);
                blobName(b.blob());
                out.varint(b.offset());
            }
            case Mapping.Backing.Shared s -> {
                out.u8(WireIds.SHARED);
                out.zigzag(s.object());
                out.varint(s.offset());
                out.varint(s.size());
                blobName(s.initial());
            }
        }
        out.varint(mapping.traps().length);
        long last = 0;
        for (long trap : mapping.traps()) {
            out.varint(trap - last);
            last = trap;
        }
    }

    private void blobName(String name) {
        if (name.isEmpty()) {
            out.u8(0);
            return;
        }
        byte[] hash = HexFormat.of().parseHex(name);
        if (hash.length != 32 || !name.equals(HexFormat.of().formatHex(hash))) {
            throw new IllegalArgumentException("not the name of a blob: " + name);
        }
        out.u8(1);
        out.bytes(hash, 0, 32);
    }

    /** For calls, whose flags already say when there are none. */
    private void writes(List<MemoryWrite> writes, long[] args, long result) {
        if (args != null && writes.isEmpty()) {
            return;
        }
        writeList(writes, args, result);
    }

    private void writeList(List<MemoryWrite> writes, long[] args, long result) {
        out.varint(writes.size());
        for (int i = 0; i < writes.size(); i++) {
            write(writes.get(i), args, result);
        }
    }

    /** A write's address often is one of the arguments, and its length the result; then neither is stored. */
    private void write(MemoryWrite write, long[] args, long result) {
        int argument = 0;
        for (int i = 0; args != null && i < args.length && argument == 0; i++) {
            argument = args[i] == write.address() ? i + 1 : 0;
        }
        boolean fullLength = args != null && write.bytes().length == result;
        data(write.bytes(), argument << WireIds.ARGUMENT_SHIFT | (fullLength ? WireIds.LENGTH_IS_RESULT : 0));
        if (argument == 0) {
            out.beginWords(1);
            out.word(write.address());
        }
    }

    /** Bytes in whichever of the four forms is the shortest. */
    private void data(byte[] bytes, int head) {
        RepeatedData.Known known = repeated.find(bytes);
        if (known != null && known.piece() != null) {
            dataHead(bytes, head | (known.compressed() ? WireIds.COMPRESSED : WireIds.RAW) | WireIds.IN_BULK);
            known.piece().write(out);
            return;
        }
        byte[] stored = bytes;
        int length = bytes.length;
        int form = WireIds.RAW;
        if (bytes.length > WireIds.COMPRESS_ABOVE) {
            scratch.reset();
            int compressed = compressor.compress(bytes, 0, bytes.length, scratch);
            if (compressed >= 0) {
                stored = scratch.array();
                length = compressed;
                form = WireIds.COMPRESSED;
            }
        }
        boolean aside = length > WireIds.BULK_ABOVE
                || length > WireIds.COMPRESS_ABOVE && (known != null || out.position() + length > WireIds.INLINE_LIMIT);
        dataHead(bytes, head | form | (aside ? WireIds.IN_BULK : 0));
        if (aside) {
            BulkFile.Piece piece = bulk.append(stored, 0, length);
            piece.write(out);
            if (known != null) {
                known.storedAt(piece, form == WireIds.COMPRESSED);
            }
            return;
        }
        if (form == WireIds.COMPRESSED) {
            out.varint(length);
        }
        out.bytes(stored, 0, length);
    }

    private void dataHead(byte[] bytes, int head) {
        out.u8(head);
        if ((head & WireIds.LENGTH_IS_RESULT) == 0) {
            out.varint(bytes.length);
        }
    }

    @Override
    public void close() {
        compressor.close();
    }
}
