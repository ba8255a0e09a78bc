package dev.eremite.replay.probe;

import dev.eremite.tracer.linux.EnginePage;
import dev.eremite.tracer.linux.ProcMaps;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.x86.FlagLiveness;
import dev.eremite.tracer.x86.InstructionDecoder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Finds places for stubs in the unmapped memory of a stopped task, near the code that is to be probed. */
public final class ProbePlacement {
    private static final long PAGE = 4096;

    /** Nothing is mapped below (vm.mmap_min_addr), or above (the user half of the address space). */
    private static final long LOWEST = 0x1_0000;

    private static final long HIGHEST = 0x7fff_ffff_e000L;

    /** A rel32 jump reaches 2 GB; some way of that is for operands of moved instructions. */
    private static final long REACH = 0x7000_0000L;

    /** Stacks grow downwards, by 8 MB as a rule, and the kernel keeps a distance to what is below. */
    private static final long STACK_ROOM = 0x100_0000L;

    private static final int BEFORE = 256;
    private static final int BEHIND = 320;

    private record Gap(long start, long end) {
        long distanceTo(long pc) {
            return Math.min(Math.abs(start - pc), Math.abs(end - pc));
        }
    }

    /** A gap that lets a probe trap jumps into it is worth some looking for, but not for ever. */
    private static final int MAX_GAPS = 12;

    private final Tracee tracee;
    private final List<ProcMaps.Entry> maps;
    private ProbeSite lastSite;

    /** Looks at the task's present mappings. */
    public ProbePlacement(Tracee tracee) {
        this.tracee = tracee;
        maps = ProcMaps.read(tracee.tid());
    }

    /**
     * Plans a probe.
     *
     * @param pc the place
     * @param condition when to trap
     * @param flagsFree whether the probe may change the arithmetic flags (see {@link #flagsFree})
     * @return a {@link Probe}, {@link Probe#closed} where possible, or why there can be none
     */
    public ProbePlan plan(long pc, ProbeCondition condition, boolean flagsFree) {
        ProcMaps.Entry text = mapping(pc);
        int execute = 4;
        if (text == null || text.shared() || (text.prot() & execute) == 0) {
            return new ProbePlan.Refused("0x%x is not private code".formatted(pc));
        }
        ProbeSite site = site(text, pc);
        lastSite = site;
        int tried = 0;
        ProbePlan best = new ProbePlan.Refused("there is no room for a stub near 0x%x".formatted(pc));
        for (Gap gap : gaps(pc)) {
            long highest = gap.end() - ProbeAssembler.MAX_STUB_BYTES;
            OptionalLong trapping = ProbeAssembler.trappingStub(site, gap.start(), highest);
            long address = trapping.orElse(gap.start());
            ProbePlan plan = ProbeAssembler.assemble(site, address, EnginePage.SCRATCH, condition, flagsFree);
            if (plan instanceof Probe probe && probe.closed()) {
                return plan;
            }
            best = best instanceof Probe ? best : plan;
            if (++tried == MAX_GAPS) {
                break;
            }
        }
        return best;
    }

    /** Whether branches lead into the patch of the probe that was planned last: each costs a stop. */
    public boolean isEntered() {
        return lastSite.knownTargets().length > 0;
    }

    /** The probe that was planned last, at the same place and with the same stub address, with another condition. */
    public ProbePlan replan(Probe probe, ProbeCondition condition, boolean flagsFree) {
        return ProbeAssembler.assemble(lastSite, probe.stubAddress(), probe.scratch(), condition, flagsFree);
    }

    /**
     * The instructions from pc on before the last of which the arithmetic flags may hold anything, since they are
     * overwritten unread; empty if they may be read.
     */
    public Optional<List<Long>> flagsFree(long pc) {
        return FlagLiveness.untilOverwritten(pc, address -> {
            byte[] code = tracee.memory().read(address, InstructionDecoder.MAX_LENGTH);
            return InstructionDecoder.decode(code, 0, address);
        });
    }

    private ProcMaps.Entry mapping(long address) {
        for (ProcMaps.Entry entry : maps) {
            if (address >= entry.start() && address < entry.end()) {
                return entry;
            }
        }
        return null;
    }

    private ProbeSite site(ProcMaps.Entry text, long pc) {
        long start = Math.max(text.start(), pc - BEFORE);
        byte[] window = tracee.memory().read(start, (int) (Math.min(text.end(), pc + BEHIND) - start));
        return new ProbeSite(
                window, start, pc, SweptCode.targets(tracee, text, pc + 1, pc + ProbeAssembler.PATCH_BYTES - 1));
    }

    /** Unmapped stretches within reach, the nearest first, each a page away from its neighbours. */
    private List<Gap> gaps(long pc) {
        List<Gap> gaps = new ArrayList<>();
        long from = LOWEST;
        for (ProcMaps.Entry entry : maps) {
            if (entry.start() < 0) {
                break; // the vsyscall page
            }
            addGap(gaps, pc, from, entry.start() - (entry.path().equals("[stack]") ? STACK_ROOM : 0));
            from = entry.end();
        }
        addGap(gaps, pc, from, HIGHEST);
        gaps.sort(Comparator.comparingLong(gap -> gap.distanceTo(pc)));
        return gaps;
    }

    private static void addGap(List<Gap> gaps, long pc, long from, long to) {
        long start = Math.max(from + PAGE, pc - REACH & -PAGE);
        long end = Math.min(to - PAGE, pc + REACH & -PAGE);
        if (end - start >= 2 * PAGE) {
            gaps.add(new Gap(start, end));
        }
    }
}
