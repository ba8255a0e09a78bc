package dev.eremite.replay.session;

import dev.eremite.replay.probe.Comparison;
import dev.eremite.replay.probe.Probe;
import dev.eremite.replay.probe.ProbeAssembler;
import dev.eremite.replay.probe.ProbeCondition;
import dev.eremite.replay.probe.ProbePlacement;
import dev.eremite.replay.probe.ProbePlan;
import dev.eremite.tracer.linux.EnginePage;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Sys;
import dev.eremite.tracer.linux.TaskGoneException;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.Tracee.Resume;
import dev.eremite.tracer.linux.TracerException;
import dev.eremite.tracer.linux.WaitStatus;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Something at a pc that stops a task when it comes by: a probe in its code where one can be put, otherwise a debug
 * register. While it is there, the task's registers may be those of the stub; {@link #showGuest} turns them into what they
 * would be without, and {@link #hideGuest} or {@link #passVisit} back. Other threads do not run meanwhile.
 */
final class LandmarkTrap implements AutoCloseable {
    /** What a stop means. */
    enum Kind {
        /** A visit of the pc; the instruction there has not run. */
        VISIT,
        /** An affair of the trap's own; the task is to go on. */
        PASSED,
        /** A visit at which a word that the probe compares is not mapped; the task is to go on. */
        UNREADABLE,
        /** Nothing to do with the trap. */
        FOREIGN
    }

    private static final int PAGE = 4096;
    private static final int STUB_LENGTH = 2 * PAGE;
    private static final int READ_WRITE_EXECUTE = 7;
    /** MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE. */
    private static final int STUB_MAPPING = 0x2 | 0x20 | 0x100000;

    private static final int SIGTRAP = 5;
    private static final int SIGBUS = 7;
    private static final int SIGSEGV = 11;
    private static final int DEBUG_REGISTERS = 4;
    private static final int DEBUG_STATUS = 6;
    private static final int DEBUG_CONTROL = 7;

    private final Tracee tracee;
    private final long pc;
    private ProbePlacement placement;
    private Probe probe;
    private int debugRegister = -1;
    private List<Long> flagsZone = List.of();
    private long[] hidden;

    private LandmarkTrap(Tracee tracee, long pc) {
        this.tracee = tracee;
        this.pc = pc;
    }

    /**
     * Puts a trap at a pc.
     *
     * @param condition which visits are of interest; others may be reported too
     */
    static LandmarkTrap install(Tracee tracee, long pc, ProbeCondition condition) {
        LandmarkTrap trap = new LandmarkTrap(tracee, pc);
        trap.placement = new ProbePlacement(tracee);
        trap.flagsZone = trap.debuggerWatches()
                ? List.of()
                : trap.placement.flagsFree(pc).orElse(List.of());
        ProbePlan plan = trap.placement.plan(pc, condition, trap.losesFlags());
        if (plan instanceof Probe probe && !trap.hidesBreakpoint(probe) && trap.mapStub(probe)) {
            trap.probe = probe;
            tracee.memory().write(probe.stubAddress(), probe.stub());
            tracee.memory().write(pc, probe.patch());
            trap.passVisit();
        } else {
            trap.flagsZone = List.of();
            trap.takeDebugRegister();
        }
        return trap;
    }

    /** Puts a debug register at a pc, which costs least where few visits are to come. */
    static LandmarkTrap register(Tracee tracee, long pc) {
        LandmarkTrap trap = new LandmarkTrap(tracee, pc);
        trap.takeDebugRegister();
        return trap;
    }

    /**
     * Puts a probe at a pc that traps at the visit with that number, 1 for the next.
     *
     * @return empty where no probe can be put
     */
    static Optional<LandmarkTrap> counting(Tracee tracee, long pc, long visits) {
        return counting(tracee, pc, visits, ProbeCondition.counting());
    }

    /**
     * Puts a probe at a pc that counts visits.
     *
     * @param condition one that counts, and may trap at other visits as well
     * @return empty where no probe can be put
     */
    static Optional<LandmarkTrap> counting(Tracee tracee, long pc, long visits, ProbeCondition condition) {
        tracee.memory().writeLong(EnginePage.SCRATCH + ProbeAssembler.COUNTER_OFFSET, visits);
        return probe(tracee, pc, condition);
    }

    /**
     * Puts a probe at a pc that changes no flags.
     *
     * @return empty where no probe can be put
     */
    static Optional<LandmarkTrap> probe(Tracee tracee, long pc, ProbeCondition condition) {
        LandmarkTrap trap = new LandmarkTrap(tracee, pc);
        trap.placement = new ProbePlacement(tracee);
        ProbePlan plan = trap.placement.plan(pc, condition, false);
        if (!(plan instanceof Probe probe) || trap.hidesBreakpoint(probe) || !trap.mapStub(probe)) {
            return Optional.empty();
        }
        trap.probe = probe;
        tracee.memory().write(probe.stubAddress(), probe.stub());
        tracee.memory().write(pc, probe.patch());
        trap.passVisit();
        return Optional.of(trap);
    }

    /** Whether a probe can be put where a task stands; if not, each visit of that pc costs a stop. */
    static boolean fits(Tracee tracee) {
        ProbeCondition any = ProbeCondition.comparing(new Comparison.RegisterEquals(Reg.RAX, 0));
        return new ProbePlacement(tracee).plan(tracee.register(Reg.RIP), any, false) instanceof Probe;
    }

    /** Whether the instruction at an address runs in the stub rather than there. */
    boolean displaces(long address) {
        return address >= pc && address < probe.displacedEnd();
    }

    /** Where the instruction at an address runs: in the stub if the probe displaced it, but not the first of them. */
    long placeOf(long address) {
        return address > pc && displaces(address) ? probe.relocated(address).orElse(address) : address;
    }

    /** How many visits are missing to the one at which a counting probe traps. */
    long visitsLeft() {
        return tracee.memory().readLong(probe.counterAddress());
    }

    /** Whether debug registers are in use: then somebody may look at the task at any of its stops. */
    private boolean debuggerWatches() {
        return (tracee.debugRegister(DEBUG_CONTROL) & 0xff) != 0;
    }

    /** Whether the arithmetic flags are not those of the guest in {@link #flagsZone}; nobody reads them there. */
    boolean losesFlags() {
        return !flagsZone.isEmpty();
    }

    /** The instructions from the pc's own on, one after another, before which the flags may be wrong; the last sets them right. */
    List<Long> flagsZone() {
        return flagsZone;
    }

    /** Whether a debug register watches an instruction that would run in the stub instead. */
    private boolean hidesBreakpoint(Probe candidate) {
        long control = tracee.debugRegister(DEBUG_CONTROL);
        for (int i = 0; i < DEBUG_REGISTERS; i++) {
            boolean executes = (control >> 2 * i & 3) != 0 && (control >> 16 + 4 * i & 3) == 0;
            long address = executes ? tracee.debugRegister(i) : 0;
            if (executes && address > pc && address < candidate.displacedEnd()) {
                return true;
            }
        }
        return false;
    }

    private boolean mapStub(Probe candidate) {
        long start = candidate.stubAddress() & -PAGE;
        return tracee.inject(Sys.MMAP, start, STUB_LENGTH, READ_WRITE_EXECUTE, STUB_MAPPING, -1, 0) == start;
    }

    private void takeDebugRegister() {
        long control = tracee.debugRegister(DEBUG_CONTROL);
        for (int i = 0; i < DEBUG_REGISTERS && debugRegister < 0; i++) {
            if ((control >> 2 * i & 3) == 0) {
                debugRegister = i;
                tracee.setDebugRegister(i, pc);
                tracee.setDebugRegister(DEBUG_CONTROL, control & ~(0xfL << 16 + 4 * i) | 1L << 2 * i);
            }
        }
    }

    /** How to run the task. */
    Resume resume() {
        return probe == null && debugRegister < 0 ? Resume.EMULATE_STEP : Resume.EMULATE;
    }

    /** Tells what a stop is about. */
    Kind classify(WaitStatus stop) {
        if (!stop.signalStop()) {
            return Kind.FOREIGN;
        }
        long rip = tracee.register(Reg.RIP);
        if (probe != null) {
            return classifyProbe(stop.signal(), rip);
        }
        if (stop.signal() != SIGTRAP) {
            return Kind.FOREIGN;
        }
        if (debugRegister < 0) {
            return rip == pc ? Kind.VISIT : Kind.PASSED;
        }
        long status = tracee.debugRegister(DEBUG_STATUS);
        boolean own = (status >> debugRegister & 1) != 0;
        if (own) {
            tracee.setDebugRegister(DEBUG_STATUS, status & ~(1L << debugRegister));
        }
        boolean alone = (status & 0xf & ~(1L << debugRegister)) == 0;
        return own && alone && rip == pc ? Kind.VISIT : Kind.FOREIGN;
    }

    private Kind classifyProbe(int signal, long rip) {
        if (signal == SIGTRAP && probe.isHit(rip)) {
            return Kind.VISIT;
        }
        if (signal == SIGTRAP && probe.traps().containsKey(rip - 1)) {
            tracee.setRegister(Reg.RIP, probe.traps().get(rip - 1));
            return Kind.PASSED;
        }
        // Above the highest address an access by way of rsp or rbp is a stack fault, which the kernel makes a SIGBUS.
        if ((signal == SIGSEGV || signal == SIGBUS) && probe.isPredicate(rip)) {
            tracee.setRegister(Reg.RIP, probe.missAddress());
            return Kind.UNREADABLE;
        }
        boolean watched = signal == SIGTRAP && probe.isPredicate(rip);
        return watched ? Kind.PASSED : Kind.FOREIGN;
    }

    /** Gives the stopped task the registers that it would have without the trap. */
    void showGuest() {
        hidden = tracee.registers();
        if (probe != null) {
            probe.normalise(hidden, tracee.memory().readLong(probe.savedRcxAddress()))
                    .ifPresent(view -> tracee.setRegisters(view.registers()));
        }
    }

    /** Asks something of memory as the guest sees it: the code's page may hold constants that landmarks include. */
    boolean unpatched(BooleanSupplier question) {
        if (probe == null) {
            return question.getAsBoolean();
        }
        tracee.memory().write(pc, probe.original());
        try {
            return question.getAsBoolean();
        } finally {
            tracee.memory().write(pc, probe.patch());
        }
    }

    /** Gives a task that was shown its true registers back. */
    void hideGuest() {
        tracee.setRegisters(hidden);
    }

    /** Lets a task that stands at the pc, or behind it in what the probe displaces, go on without a visit. */
    void passVisit() {
        if (probe != null) {
            probe.relocated(tracee.register(Reg.RIP)).ifPresent(address -> tracee.setRegister(Reg.RIP, address));
        }
    }

    /** Changes which visits are of interest. The task must be shown. */
    void condition(ProbeCondition condition) {
        if (probe != null && placement.replan(probe, condition, losesFlags()) instanceof Probe changed) {
            probe = changed;
            tracee.memory().write(probe.stubAddress(), probe.stub());
        }
    }

    /** Takes the trap away and shows the guest. */
    @Override
    public void close() {
        if (!tracee.isStopped()) {
            return;
        }
        try {
            if (probe != null) {
                showGuest();
                tracee.memory().write(pc, probe.original());
                long start = probe.stubAddress() & -PAGE;
                probe = null;
                long result = tracee.inject(Sys.MUNMAP, start, STUB_LENGTH);
                if (result != 0) {
                    throw new TracerException("munmap of a stub", (int) -result);
                }
            } else if (debugRegister >= 0) {
                long control = tracee.debugRegister(DEBUG_CONTROL);
                tracee.setDebugRegister(DEBUG_CONTROL, control & ~(3L << 2 * debugRegister));
                debugRegister = -1;
            }
        } catch (TaskGoneException e) {
            // Nothing is left to clean.
            probe = null;
        }
    }
}
