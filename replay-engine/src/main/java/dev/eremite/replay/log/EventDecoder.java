package dev.eremite.replay.log;

import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.Landmark;
import dev.eremite.replay.event.Mapping;
import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.replay.event.RegisterProof;
import dev.eremite.replay.event.RegisterValue;
import dev.eremite.tracer.linux.Reg;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** The reverse of {@link EventEncoder}. Unknown numbers and wrong sizes are {@link IndexOutOfBoundsException}s. */
final class EventDecoder implements AutoCloseable {
    private final ByteReader in;
    private final BulkFile bulk;
    private final Compressor compressor = new Compressor();
    private final DecodedPieces pieces = new DecodedPieces();
    private final long[] eight = new long[8];
    private final long[] proofWords = new long[2];
    private final long[] one = new long[1];

    EventDecoder(ByteReader in, BulkFile bulk) {
        this.in = in;
        this.bulk = bulk;
    }

    /** The event at the reader's position, which must fill the document. */
    Event decode() {
        int kind = in.u8();
        int task = in.zigzag32();
        Event event = switch (kind) {
            case WireIds.SYSCALL -> syscall(task);
            case WireIds.SYSCALL_ENTER -> {
                int number = in.zigzag32();
                long[] args = new long[6];
                RegisterProof proof = proofAndArguments(args);
                yield new Event.SyscallEnter(task, proof, number, args, writeList(null, 0));
            }
            case WireIds.SYSCALL_EXIT -> {
                int number = in.zigzag32();
                int flags = in.u8();
                long result = in.zigzag();
                List<MemoryWrite> writes = writeList(null, result);
                yield new Event.SyscallExit(task, number, result, writes, flags & WireIds.STREAM_MASK, effect(flags));
            }
            case WireIds.INSTRUCTION -> instruction(task);
            case WireIds.SIGNAL -> signal(task);
            case WireIds.PREEMPT -> new Event.Preempt(task, proof(), landmark());
            case WireIds.CLOCK_TRAP -> new Event.ClockTrap(task, in.varint32() - 1);
            case WireIds.TASK_EXIT -> {
                int status = (int) in.varint();
                yield new Event.TaskExit(task, status, writeList(null, 0));
            }
            default -> throw unknown("event", kind);
        };
        if (in.remaining() != 0) {
            throw new IndexOutOfBoundsException(in.remaining() + " bytes too many");
        }
        return event;
    }

    private static IndexOutOfBoundsException unknown(String what, int value) {
        return new IndexOutOfBoundsException("no " + what + " has the number " + value);
    }

    private Event syscall(int task) {
        int number = in.zigzag32();
        int flags = in.u8();
        long[] args = new long[6];
        RegisterProof proof = proofAndArguments(args);
        long result = in.zigzag();
        List<MemoryWrite> writes = (flags & WireIds.HAS_WRITES) == 0 ? List.of() : writeList(args, result);
        return new Event.Syscall(task, proof, number, args, result, writes, flags & WireIds.STREAM_MASK, effect(flags));
    }

    private Event instruction(int task) {
        int id = in.u8();
        Event.Instruction.Kind kind = switch (id) {
            case WireIds.RDTSC -> Event.Instruction.Kind.RDTSC;
            case WireIds.RDTSCP -> Event.Instruction.Kind.RDTSCP;
            case WireIds.CPUID -> Event.Instruction.Kind.CPUID;
            case WireIds.RDRAND -> Event.Instruction.Kind.RDRAND;
            case WireIds.RDSEED -> Event.Instruction.Kind.RDSEED;
            default -> throw unknown("instruction", id);
        };
        RegisterProof proof = proof();
        int count = in.count();
        List<RegisterValue> results = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int register = in.u8();
            if (register >= Reg.COUNT) {
                throw unknown("register", register);
            }
            results.add(new RegisterValue(register, in.zigzag()));
        }
        return new Event.Instruction(task, proof, kind, List.copyOf(results));
    }

    private Event signal(int task) {
        int signal = in.u8();
        int parts = in.u8();
        Event.Signal.Origin origin = switch (parts & WireIds.ORIGIN_MASK) {
            case WireIds.SYNCHRONOUS -> Event.Signal.Origin.SYNCHRONOUS;
            case WireIds.ASYNCHRONOUS -> Event.Signal.Origin.ASYNCHRONOUS;
            default -> throw unknown("origin", parts & WireIds.ORIGIN_MASK);
        };
        RegisterProof proof = proof();
        byte[] siginfo = data(in.u8(), 0);
        Landmark landmark = (parts & WireIds.HAS_LANDMARK) == 0 ? null : landmark();
        MemoryWrite frame = (parts & WireIds.HAS_FRAME) == 0 ? null : write(null, 0);
        long[] registers = (parts & WireIds.HAS_REGISTERS) == 0 ? null : registers();
        return new Event.Signal(task, proof, signal, siginfo, origin, landmark, frame, registers);
    }

    private RegisterProof proof() {
        int hash = in.u32();
        in.words(proofWords);
        return new RegisterProof(proofWords[0], proofWords[1], hash);
    }

    private RegisterProof proofAndArguments(long[] args) {
        int hash = in.u32();
        in.words(eight);
        System.arraycopy(eight, 2, args, 0, args.length);
        return new RegisterProof(eight[0], eight[1], hash);
    }

    private long[] registers() {
        return in.words(in.varint32());
    }

    private Landmark landmark() {
        long[] registers = registers();
        long[] vectors = registers();
        int count = in.count();
        List<Landmark.Word> words = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            in.words(proofWords);
            words.add(new Landmark.Word(proofWords[0], proofWords[1]));
        }
        int spanCount = in.count();
        List<Landmark.Span> spans = new ArrayList<>(spanCount);
        for (int i = 0; i < spanCount; i++) {
            in.words(proofWords);
            spans.add(new Landmark.Span(proofWords[0], (int) proofWords[1], in.u64()));
        }
        return new Landmark(registers, vectors, List.copyOf(words), List.copyOf(spans), in.u64());
    }

    private Effect effect(int flags) {
        int kind = flags >> WireIds.EFFECT_SHIFT & WireIds.EFFECT_MASK;
        return switch (kind) {
            case WireIds.NONE -> Effect.None.INSTANCE;
            case WireIds.NATIVE -> Effect.Native.INSTANCE;
            case WireIds.MAP -> new Effect.Map(mapping());
            case WireIds.SPAWN -> {
                int child = in.zigzag32();
                int process = in.zigzag32();
                long[] words = in.words(4);
                int ownTid = in.zigzag32();
                yield new Effect.Spawn(child, process, words[0], words[1], words[2], words[3], ownTid);
            }
            case WireIds.EXEC -> new Effect.Exec(image());
            case WireIds.STORE -> {
                int object = in.zigzag32();
                long size = in.varint();
                long offset = in.varint();
                yield new Effect.Store(object, size, offset, data(in.u8(), 0));
            }
            default -> throw unknown("effect", kind);
        };
    }

    private Effect.ExecImage image() {
        String path = in.string();
        int count = in.count();
        List<Mapping> mappings = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            mappings.add(mapping());
        }
        long[] registers = registers();
        byte[] auxv = data(in.u8(), 0);
        long brk = in.varint();
        List<MemoryWrite> contents = writeList(null, 0);
        return new Effect.ExecImage(path, List.copyOf(mappings), contents, registers, auxv, brk);
    }

    private Mapping mapping() {
        in.words(proofWords);
        long start = proofWords[0];
        long length = proofWords[1];
        int prot = in.zigzag32();
        int flags = in.zigzag32();
        String name = in.string();
        int id = in.u8();
        Mapping.Backing backing = switch (id) {
            case WireIds.ANONYMOUS -> Mapping.Backing.Anonymous.INSTANCE;
            case WireIds.BLOB -> {
                String blob = blobName();
                yield new Mapping.Backing.Blob(blob, in.varint());
            }
            case WireIds.SHARED -> {
                int object = in.zigzag32();
                long offset = in.varint();
                long size = in.varint();
                yield new Mapping.Backing.Shared(object, offset, size, blobName());
            }
            default -> throw unknown("backing", id);
        };
        long[] traps = new long[in.count()];
        long last = 0;
        for (int i = 0; i < traps.length; i++) {
            last += in.varint();
            traps[i] = last;
        }
        return new Mapping(start, length, prot, flags, backing, name, traps);
    }

    private String blobName() {
        if (in.u8() == 0) {
            return "";
        }
        int at = in.take(32);
        return HexFormat.of().formatHex(in.array(), at, at + 32);
    }

    private List<MemoryWrite> writeList(long[] args, long result) {
        int count = in.count();
        if (count == 0) {
            return List.of();
        }
        if (count == 1) {
            return List.of(write(args, result));
        }
        List<MemoryWrite> writes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            writes.add(write(args, result));
        }
        return List.copyOf(writes);
    }

    private MemoryWrite write(long[] args, long result) {
        int head = in.u8();
        int argument = head >> WireIds.ARGUMENT_SHIFT & WireIds.ARGUMENT_MASK;
        if ((argument != 0 || (head & WireIds.LENGTH_IS_RESULT) != 0) && (args == null || argument > args.length)) {
            throw unknown("argument", argument);
        }
        byte[] bytes = data(head, result);
        if (argument != 0) {
            return new MemoryWrite(args[argument - 1], bytes);
        }
        in.words(one);
        return new MemoryWrite(one[0], bytes);
    }

    private byte[] data(int head, long result) {
        int length = (head & WireIds.LENGTH_IS_RESULT) != 0 ? Math.toIntExact(result) : in.varint32();
        boolean compressed = (head & WireIds.COMPRESSED) != 0;
        if ((head & WireIds.IN_BULK) != 0) {
            return inBulk(BulkFile.Piece.of(in), compressed, length);
        }
        if (!compressed) {
            return in.bytes(length);
        }
        int stored = in.count();
        return compressor.expand(in.array(), in.take(stored), stored, length);
    }

    private byte[] inBulk(BulkFile.Piece piece, boolean compressed, int length) {
        byte[] known = pieces.find(piece, compressed, length);
        if (known != null) {
            return known;
        }
        byte[] stored = bulk.read(piece);
        if (!compressed && stored.length != length) {
            throw new IndexOutOfBoundsException("bulk data has another length");
        }
        byte[] data = compressed ? compressor.expand(stored, 0, stored.length, length) : stored;
        pieces.keep(piece, compressed, data);
        return data;
    }

    @Override
    public void close() {
        compressor.close();
    }
}
