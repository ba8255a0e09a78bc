package dev.eremite.replay.log;

import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.Landmark;
import dev.eremite.replay.event.Mapping;
import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.replay.event.RegisterProof;
import dev.eremite.replay.event.RegisterValue;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/** Events of every kind with seeded content, among them the extremes of each field. */
public final class RandomEvents {
    private final Random random;
    private final int largest;

    /** Events with data of at most that many bytes. */
    public RandomEvents(long seed, int largest) {
        this.random = new Random(seed);
        this.largest = largest;
    }

    /** The next event; kinds take turns. */
    public Event next(int turn) {
        int task = random.nextInt(8) == 0 ? random.nextInt() : random.nextInt(1, 40_000);
        return switch (turn % 8) {
            case 0 -> {
                long[] args = words(6);
                byte[] bytes = bytes();
                List<MemoryWrite> writes =
                        random.nextBoolean() ? List.of(new MemoryWrite(args[random.nextInt(6)], bytes)) : writes();
                long result = random.nextBoolean() ? bytes.length : word();
                yield new Event.Syscall(
                        task, proof(), random.nextInt(-2, 470), args, result, writes, random.nextInt(3), effect());
            }
            case 1 -> new Event.SyscallEnter(task, proof(), random.nextInt(470), words(6), writes());
            case 2 -> new Event.SyscallExit(task, random.nextInt(470), word(), writes(), random.nextInt(3), effect());
            case 3 -> new Event.Instruction(task, proof(), pick(Event.Instruction.Kind.values()), results());
            case 4 ->
                new Event.Signal(
                        task,
                        proof(),
                        random.nextInt(1, 65),
                        random.nextBoolean() ? new byte[128] : bytes(),
                        pick(Event.Signal.Origin.values()),
                        random.nextBoolean() ? null : landmark(),
                        random.nextBoolean() ? null : new MemoryWrite(word(), bytes()),
                        random.nextBoolean() ? null : words(27));
            case 5 -> new Event.Preempt(task, proof(), landmark());
            case 6 -> new Event.ClockTrap(task, random.nextInt(-1, 300));
            default -> new Event.TaskExit(task, random.nextInt(), writes());
        };
    }

    private <T> T pick(T[] values) {
        return values[random.nextInt(values.length)];
    }

    private List<RegisterValue> results() {
        List<RegisterValue> results = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            results.add(new RegisterValue(random.nextInt(27), word()));
        }
        return results;
    }

    private RegisterProof proof() {
        return new RegisterProof(word(), word(), random.nextInt());
    }

    private Landmark landmark() {
        List<Landmark.Word> words = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            words.add(new Landmark.Word(word(), word()));
        }
        List<Landmark.Span> spans = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            spans.add(new Landmark.Span(word(), random.nextInt(1 << 20), random.nextLong()));
        }
        return new Landmark(words(27), words(32 * random.nextInt(2)), words, spans, random.nextLong());
    }

    private long word() {
        return switch (random.nextInt(8)) {
            case 0 -> 0;
            case 1 -> random.nextLong();
            case 2 -> -random.nextInt(5000);
            case 3 -> 0x7fff_f7a0_0000L + random.nextInt();
            case 4 -> 0x5555_5555_0000L + random.nextInt(1 << 24);
            case 5 -> 0x7fff_ffff_0000L - random.nextInt(1 << 20);
            case 6 -> random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE;
            default -> random.nextLong() >> random.nextInt(64);
        };
    }

    private long[] words(int count) {
        long[] words = new long[count];
        for (int i = 0; i < count; i++) {
            words[i] = word();
        }
        return words;
    }

    private byte[] bytes() {
        int length = random.nextBoolean() ? random.nextInt(64) : random.nextInt(largest + 1);
        byte[] bytes = new byte[length];
        int kind = random.nextInt(3);
        for (int i = 0; i < length && kind < 2; i++) {
            bytes[i] = (byte) (kind == 0 ? random.nextInt() : i / 7);
        }
        return bytes;
    }

    private List<MemoryWrite> writes() {
        List<MemoryWrite> writes = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            writes.add(new MemoryWrite(word(), bytes()));
        }
        return writes;
    }

    private Effect effect() {
        return switch (random.nextInt(6)) {
            case 0 -> Effect.None.INSTANCE;
            case 1 -> Effect.Native.INSTANCE;
            case 2 -> new Effect.Map(mapping());
            case 3 ->
                new Effect.Spawn(random.nextInt(), random.nextInt(), word(), word(), word(), word(), random.nextInt());
            case 4 -> new Effect.Store(random.nextInt(), word(), word(), bytes());
            default -> {
                List<Mapping> mappings = new ArrayList<>();
                for (int i = random.nextInt(20); i > 0; i--) {
                    mappings.add(mapping());
                }
                yield new Effect.Exec(
                        new Effect.ExecImage("/usr/bin/grün", mappings, writes(), words(27), bytes(), word()));
            }
        };
    }

    private Mapping mapping() {
        Mapping.Backing backing = switch (random.nextInt(4)) {
            case 0 -> Mapping.Backing.Anonymous.INSTANCE;
            case 1 -> new Mapping.Backing.Blob(hash(), word());
            case 2 -> new Mapping.Backing.Shared(random.nextInt(), word(), word(), "");
            default -> new Mapping.Backing.Shared(random.nextInt(9), word(), word(), hash());
        };
        long[] traps = random.longs(random.nextInt(5), 0, 1L << 40).sorted().toArray();
        return new Mapping(word(), word(), random.nextInt(8), random.nextInt(), backing, "/lib/ü.so", traps);
    }

    private String hash() {
        byte[] hash = new byte[32];
        random.nextBytes(hash);
        return HexFormat.of().formatHex(hash);
    }
}
