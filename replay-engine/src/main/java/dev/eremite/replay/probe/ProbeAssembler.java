package dev.eremite.replay.probe;

import dev.eremite.tracer.x86.Decoded;
import dev.eremite.tracer.x86.Instruction;
import dev.eremite.tracer.x86.InstructionDecoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Builds probes: a 5-byte jump over the code at an address, and the stub that it leads to. The stub first evaluates the
 * condition, then traps or not, then executes the displaced instructions and jumps back.
 *
 * <pre>
 *  stub:   mov rcx, [saved] ; int3 ; jmp moved                          hit
 *  entry:  mov [saved], rcx ; … lea rcx, … ; jrcxz stub                 16 bytes on; the patch jumps here
 *  miss:   mov rcx, [saved]
 *  moved:  displaced instructions ; jmp back
 * </pre>
 *
 * The stub changes no flags, no stack and no registers but rcx, which it saves in scratch memory; as one guest thread
 * runs at a time, one scratch area is enough for all probes of a process.
 */
public final class ProbeAssembler {
    /** Size of the jump at the probed address. */
    public static final int PATCH_BYTES = 5;
    /** No stub is longer than this. */
    public static final int MAX_STUB_BYTES = 512;
    /** Size of the scratch area. */
    public static final int SCRATCH_BYTES = 24;
    /** Where the visit counter is in the scratch area. */
    public static final int COUNTER_OFFSET = 8;

    static final int TEMPORARY_OFFSET = 16;
    private static final int ENTRY_OFFSET = 16;
    /** Compilers align functions and jump targets to this. */
    private static final long ALIGNMENT = 16;

    private static final byte INT3 = (byte) 0xcc;
    private static final int RCX = 1;

    private final ProbeSite site;
    private final long stubAddress;
    private final long scratch;
    private final ProbeCondition condition;
    private final boolean flagsFree;
    private final List<Instruction> displaced = new ArrayList<>();
    private long displacedEnd;

    private ProbeAssembler(
            ProbeSite site, long stubAddress, long scratch, ProbeCondition condition, boolean flagsFree) {
        this.flagsFree = flagsFree && FlagPredicateWriter.supports(condition, stubAddress);
        this.site = site;
        this.stubAddress = stubAddress;
        this.scratch = scratch;
        this.condition = condition;
    }

    /**
     * Builds a probe.
     *
     * @param site the code around the probed address
     * @param stubAddress where up to {@link #MAX_STUB_BYTES} of stub may be written, executable, within 2 GB of pc
     * @param scratch address of {@link #SCRATCH_BYTES} of writable memory below 2 GB, 8-byte aligned
     * @param condition when to trap
     * @return a {@link Probe}, or why there can be none
     * @throws IllegalArgumentException if scratch or the condition is out of range
     */
    public static ProbePlan assemble(ProbeSite site, long stubAddress, long scratch, ProbeCondition condition) {
        return assemble(site, stubAddress, scratch, condition, false);
    }

    /**
     * Builds a probe for a place where it may be known that nobody reads the arithmetic flags.
     *
     * @param flagsFree whether the probe may change the arithmetic flags, at hits and misses alike; it is faster then
     */
    public static ProbePlan assemble(
            ProbeSite site, long stubAddress, long scratch, ProbeCondition condition, boolean flagsFree) {
        if (scratch < 0 || scratch + SCRATCH_BYTES > Integer.MAX_VALUE || (scratch & 7) != 0) {
            throw new IllegalArgumentException("scratch must be aligned and below 2 GB: 0x%x".formatted(scratch));
        }
        condition.validate();
        return new ProbeAssembler(site, stubAddress, scratch, condition, flagsFree).build();
    }

    /**
     * A stub address for which jumps into the middle of the patch hit an int3 ({@link Probe#traps}): the distance's own
     * bytes at the instruction boundaries are 0xCC.
     *
     * @param site the code around the probed address
     * @param lowest lowest stub address wanted
     * @param highest highest stub address wanted
     * @return the lowest suitable address; empty if there is none or the site cannot be probed at all
     */
    public static OptionalLong trappingStub(ProbeSite site, long lowest, long highest) {
        ProbeAssembler assembler = new ProbeAssembler(site, lowest, 0, ProbeCondition.counting(), false);
        if (assembler.collect() != null) {
            return OptionalLong.empty();
        }
        long origin = site.pc() + PATCH_BYTES - ENTRY_OFFSET;
        long distance = Math.max(lowest - origin, Integer.MIN_VALUE);
        long limit = Math.min(highest - origin, Integer.MAX_VALUE);
        while (distance <= limit) {
            int wrong = assembler.highestWrongByte(distance);
            if (wrong < 0) {
                return OptionalLong.of(origin + distance);
            }
            long unit = 1L << 8 * wrong;
            long octet = distance >> 8 * wrong & 0xff;
            long above = distance >> 8 * (wrong + 1);
            distance = octet < 0xcc ? (above << 8 * (wrong + 1)) + 0xcc * unit : (above + 1) << 8 * (wrong + 1);
        }
        return OptionalLong.empty();
    }

    /** The highest byte of a distance that should be 0xCC and is not; −1 if there is none. */
    private int highestWrongByte(long distance) {
        for (int i = displaced.size() - 1; i > 0; i--) {
            int octet = (int) (displaced.get(i).address() - site.pc()) - 1;
            if (octet < PATCH_BYTES - 1 && (distance >> 8 * octet & 0xff) != 0xcc) {
                return octet;
            }
        }
        return -1;
    }

    private ProbePlan build() {
        String problem = collect();
        if (problem != null) {
            return new ProbePlan.Refused(problem);
        }
        long distance = stubAddress + ENTRY_OFFSET - (site.pc() + PATCH_BYTES);
        if (!Code.fitsInt32(distance)) {
            return new ProbePlan.Refused("the stub is more than 2 GB away");
        }
        byte[] patch = Code.of(0xe9).int32(distance).bytes();
        Optional<String> entered = entryInside(patch);
        if (entered.isPresent()) {
            return new ProbePlan.Refused(entered.get());
        }
        return write(patch);
    }

    /** Finds the instructions that the patch displaces; returns what is wrong with them, or null. */
    private String collect() {
        long at = site.pc();
        while (at < site.pc() + PATCH_BYTES) {
            Decoded decoded = InstructionDecoder.decode(site.window(), site.offset(at), at);
            if (!(decoded instanceof Instruction instruction)) {
                return "0x%x: %s".formatted(at, ((Decoded.NotDecodable) decoded).reason());
            }
            Optional<String> objection = Relocator.objection(instruction);
            if (objection.isPresent()) {
                return objection.get();
            }
            displaced.add(instruction);
            at = instruction.nextAddress();
            if (Relocator.continues(instruction) || at >= site.pc() + PATCH_BYTES) {
                continue;
            }
            if (!instruction.flow().endsBlock()) {
                return "a call returns to 0x%x inside the patch".formatted(at);
            }
            if (!isPaddingFrom(at)) {
                return "the code ends within five bytes and other code follows at 0x%x".formatted(at);
            }
            break;
        }
        displacedEnd = at;
        return null;
    }

    /**
     * Whether there is nothing but filling from an address to the next aligned one behind the patch. A few nops that end
     * elsewhere may be code that an indirect jump reaches.
     */
    private boolean isPaddingFrom(long address) {
        long end = site.pc() + PATCH_BYTES + ALIGNMENT - 1 & -ALIGNMENT;
        long at = address;
        while (at < end) {
            Decoded decoded = InstructionDecoder.decode(site.window(), site.offset(at), at);
            if (!(decoded instanceof Instruction instruction) || !Relocator.isPadding(instruction)) {
                return false;
            }
            at = instruction.nextAddress();
        }
        return at == end;
    }

    private boolean insidePatch(long address) {
        return address > site.pc() && address < site.pc() + PATCH_BYTES;
    }

    private boolean isBoundary(long address) {
        return displaced.stream().anyMatch(i -> i.address() == address);
    }

    private boolean isTrap(byte[] patch, long address) {
        return insidePatch(address) && isBoundary(address) && patch[(int) (address - site.pc())] == INT3;
    }

    private Optional<String> entryInside(byte[] patch) {
        Set<Long> targets = new HashSet<>(BranchScan.targetsAround(site));
        Arrays.stream(site.knownTargets()).forEach(targets::add);
        return targets.stream()
                .filter(this::insidePatch)
                .filter(target -> !isTrap(patch, target))
                .findFirst()
                .map("control enters the patch at 0x%x"::formatted);
    }

    private ProbePlan write(byte[] patch) {
        StubWriter out = new StubWriter(stubAddress);
        return flagsFree ? writeFlagsFree(patch, out) : writeCareful(patch, out);
    }

    private ProbePlan writeFlagsFree(byte[] patch, StubWriter out) {
        out.state(site.pc(), false, false, false);
        long hit = out.position();
        out.instruction(new byte[] {INT3});
        int hitJump = out.forwardJump();
        out.gap(stubAddress + ENTRY_OFFSET);
        out.state(site.pc(), false, false, true);
        long miss = new FlagPredicateWriter(out, stubAddress).write(condition);
        out.state(site.pc(), false, false, false);
        out.land(hitJump);
        return writeDisplaced(patch, out, hit, miss);
    }

    private ProbePlan writeCareful(byte[] patch, StubWriter out) {
        boolean counted = condition.counted();
        byte[] restoreRcx = Code.of(0x48, 0x8b).absolute(RCX, scratch).bytes();
        out.state(site.pc(), true, counted, true);
        out.instruction(restoreRcx);
        out.state(site.pc(), false, counted, false);
        long hit = out.position();
        out.instruction(new byte[] {INT3});
        int hitJump = out.forwardJump();
        out.gap(stubAddress + ENTRY_OFFSET);

        out.state(site.pc(), false, false, true);
        new PredicateWriter(out, scratch, stubAddress).write(condition);
        long miss = out.position();
        out.state(site.pc(), true, counted, true);
        out.instruction(restoreRcx);

        out.state(site.pc(), false, counted, false);
        out.land(hitJump);
        return writeDisplaced(patch, out, hit, miss);
    }

    private ProbePlan writeDisplaced(byte[] patch, StubWriter out, long hit, long miss) {
        Relocator relocator = new Relocator(out);
        for (Instruction instruction : displaced) {
            int offset = site.offset(instruction.address());
            byte[] code = Arrays.copyOfRange(site.window(), offset, offset + instruction.length());
            Optional<String> problem = relocator.relocate(instruction, code);
            if (problem.isPresent()) {
                return new ProbePlan.Refused(problem.get());
            }
        }
        if (Relocator.continues(displaced.getLast())) {
            out.original(displacedEnd);
            out.jump(displacedEnd);
        }
        byte[] stub = out.finish();
        if (stub == null) {
            return new ProbePlan.Refused("the stub would be too long");
        }
        return probe(patch, stub, hit, miss, out.boundaries());
    }

    private Probe probe(byte[] patch, byte[] stub, long hit, long miss, List<Probe.Boundary> boundaries) {
        int offset = site.offset(site.pc());
        byte[] original = Arrays.copyOfRange(site.window(), offset, offset + PATCH_BYTES);
        Map<Long, Long> traps = new HashMap<>();
        boolean closed = true;
        for (Instruction instruction : displaced) {
            long address = instruction.address();
            if (isTrap(patch, address)) {
                traps.put(address, Probe.relocated(boundaries, miss, address).orElseThrow());
            } else if (insidePatch(address)) {
                closed = false;
            }
        }
        return new Probe(
                site.pc(),
                patch,
                original,
                displacedEnd,
                stubAddress,
                stub,
                hit,
                miss,
                scratch,
                boundaries,
                Map.copyOf(traps),
                closed);
    }
}
