package dev.eremite.replay.session;

import dev.eremite.replay.event.Landmark;
import dev.eremite.replay.guest.LandmarkState;
import dev.eremite.replay.probe.LandmarkSearch;
import dev.eremite.replay.probe.ProbeCondition;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.Tracee.Resume;
import dev.eremite.tracer.linux.Tracer;
import dev.eremite.tracer.linux.WaitStatus;
import dev.eremite.tracer.x86.FlagLiveness;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/**
 * Brings the task of the next event to a landmark inside its segment, at nearly the speed of the code itself: a probe in
 * the guest compares what tells the landmark from other visits of its pc. Whatever ends the run, the guest's code is as it
 * was before, and nothing of the engine is left in the guest's registers.
 */
public final class LandmarkRun {
    /** Why a run ended. */
    public enum Result {
        /** The task stands at the landmark, whose instruction has not run. */
        REACHED,
        /** The segment has ended: the next event's place was reached first ({@link ReplaySession#arrived}). */
        EVENT,
        /** A breakpoint or watchpoint of somebody else. */
        TRAP,
        /** The time was over or somebody asked to stop; the run can be taken up again. */
        INTERRUPTED,
        /** A visit that somebody's filter lets through. */
        FILTERED
    }

    /** A probe costs as much as so many stops to put in and take out. */
    private static final int VISITS_BEFORE_PROBE = 30;

    private static final int MOST_VISITS = 2000;

    private final ReplaySession session;
    private final LandmarkPath path;
    private final Landmark landmark;
    private final ReplayTask task;
    private final Tracee tracee;
    private final LandmarkSearch search;
    private final FilteredRun filter;
    /** A trap elsewhere that stays while this runs, or null. */
    private final LandmarkTrap other;

    private final boolean probing;
    private FilteredRun.Filter together;
    private boolean counting;
    private boolean interrupting;
    private int visits;

    private LandmarkRun(ReplaySession session, LandmarkPath path) {
        this(session, path, null, null, true);
    }

    /**
     * A run while visits of another place are filtered.
     *
     * @param filter what filters them
     * @param probing whether a probe may be put at the landmark
     */
    LandmarkRun(ReplaySession session, LandmarkPath path, FilteredRun filter, boolean probing) {
        this(session, path, filter, filter.trap(), probing);
    }

    private LandmarkRun(
            ReplaySession session, LandmarkPath path, FilteredRun filter, LandmarkTrap other, boolean probing) {
        this.filter = filter;
        this.other = other;
        this.probing = probing;
        this.session = session;
        this.path = path;
        landmark = path.landmark();
        task = session.nextTask();
        tracee = task.tracee();
        search = path.search();
    }

    /** Whether a probe can be put where the task of a session stands, so that running there is fast. */
    public static boolean isFastTo(ReplaySession session) {
        return LandmarkTrap.fits(session.nextTask().tracee());
    }

    /**
     * Runs to a landmark.
     *
     * @param session a session in whose next segment the landmark lies, ahead of where its task stands
     * @param path the point
     * @param timeoutNanos when to interrupt the run; negative: only on {@link Tracer#wake}
     */
    public static Result runTo(ReplaySession session, LandmarkPath path, long timeoutNanos) {
        session.moving();
        LandmarkRun run = new LandmarkRun(session, path);
        return run.matches(run.tracee.registersView()) ? Result.REACHED : run.run(timeoutNanos);
    }

    /**
     * Runs to a landmark at the very place whose visits are filtered: one probe looks for both.
     *
     * @return empty where no probe can be put; then nothing has run
     */
    static Optional<Result> runTogether(
            ReplaySession session, LandmarkPath path, FilteredRun.Filter filter, long timeoutNanos) {
        LandmarkRun run = new LandmarkRun(session, path);
        run.together = filter;
        Optional<LandmarkTrap> installed = LandmarkTrap.probe(run.tracee, filter.pc(), run.condition());
        if (installed.isEmpty()) {
            return Optional.empty();
        }
        session.moving();
        try (LandmarkTrap trap = installed.get()) {
            return Optional.of(run.run(trap, timeoutNanos, Integer.MAX_VALUE));
        }
    }

    /**
     * Runs to a landmark, and counts the visits of its pc on the way with the same probe, so that there may be no room for
     * another one.
     *
     * @return how many there are, the landmark itself among them; empty where no probe can be put, or the run ended elsewhere
     */
    static OptionalLong count(ReplaySession session, LandmarkPath path) {
        LandmarkRun run = new LandmarkRun(session, path);
        run.counting = true;
        long most = Long.MAX_VALUE;
        Optional<LandmarkTrap> installed =
                LandmarkTrap.counting(run.tracee, run.landmark.registers()[Reg.RIP], most, run.condition());
        if (installed.isEmpty()) {
            return OptionalLong.empty();
        }
        session.moving();
        try (LandmarkTrap trap = installed.get()) {
            boolean reached = run.run(trap, -1, Integer.MAX_VALUE) == Result.REACHED && !run.interrupting;
            return reached ? OptionalLong.of(most - trap.visitsLeft()) : OptionalLong.empty();
        }
    }

    private ProbeCondition condition() {
        ProbeCondition condition = search.condition();
        if (counting) {
            return new ProbeCondition(List.of(), true, condition.comparisons());
        }
        return together == null
                ? condition
                : new ProbeCondition(condition.comparisons(), condition.counted(), together.comparisons());
    }

    /**
     * Runs to a landmark that is rarely visited before, by a debug register alone; the guest's code stays as it is.
     *
     * @return empty when the pc was visited too often: the task stands at one of these visits
     */
    public static Optional<Result> byRegister(ReplaySession session, LandmarkPath path) {
        session.moving();
        LandmarkRun run = new LandmarkRun(session, path);
        try (LandmarkTrap trap = LandmarkTrap.register(run.tracee, run.landmark.registers()[Reg.RIP])) {
            return trap.resume() == Resume.EMULATE
                    ? Optional.ofNullable(run.run(trap, -1, MOST_VISITS))
                    : Optional.of(Result.INTERRUPTED);
        }
    }

    /**
     * Runs to a landmark that is rarely visited before, whose instruction is one of those that a probe has displaced.
     *
     * @return whether the task stands there, as the probe shows it
     */
    static boolean displacedBy(ReplaySession session, LandmarkPath path, LandmarkTrap probe) {
        LandmarkRun run = new LandmarkRun(session, path, null, probe, false);
        long place = probe.placeOf(run.landmark.registers()[Reg.RIP]);
        try (LandmarkTrap trap = LandmarkTrap.register(run.tracee, place)) {
            return trap.resume() == Resume.EMULATE && run.run(trap, -1, MOST_VISITS) == Result.REACHED;
        }
    }

    /** Whether the task, as shown by the trap, is at the landmark; it gets the landmark's flags then. */
    private boolean matches(LandmarkTrap trap) {
        long[] registers = tracee.registersView();
        if (!trap.losesFlags() || registers[Reg.RIP] != landmark.registers()[Reg.RIP]) {
            return unpatched(trap, () -> matches(registers));
        }
        long others = ~(long) FlagLiveness.ARITHMETIC_FLAGS;
        long[] restored = registers.clone();
        restored[Reg.EFLAGS] = registers[Reg.EFLAGS] & others | landmark.registers()[Reg.EFLAGS] & ~others;
        if (!unpatched(trap, () -> matches(restored))) {
            return false;
        }
        tracee.setRegisters(restored);
        return true;
    }

    private boolean unpatched(LandmarkTrap trap, BooleanSupplier question) {
        BooleanSupplier asked = other == null ? question : () -> other.unpatched(question);
        return trap.unpatched(asked);
    }

    /** Gives the stopped task the registers that it would have without any traps; undone by the trap's own hiding. */
    private void showGuest(LandmarkTrap trap) {
        trap.showGuest();
        if (other != null) {
            other.showGuest();
        }
    }

    private boolean matches(long[] registers) {
        return path.matches(tracee, registers);
    }

    Result run(long timeoutNanos) {
        long pc = landmark.registers()[Reg.RIP];
        Result result = null;
        if (!probing) {
            try (LandmarkTrap trap = LandmarkTrap.register(tracee, other.placeOf(pc))) {
                return run(trap, timeoutNanos, Integer.MAX_VALUE);
            }
        }
        int visitsLeft = VISITS_BEFORE_PROBE - path.visits();
        if (visitsLeft > 0) {
            try (LandmarkTrap trap = LandmarkTrap.register(tracee, pc)) {
                result = run(trap, timeoutNanos, trap.resume() == Resume.EMULATE ? visitsLeft : 0);
            }
            path.visited(visits);
        }
        if (result != null) {
            return result;
        }
        List<Long> zone;
        try (LandmarkTrap trap = LandmarkTrap.install(tracee, pc, search.condition())) {
            zone = trap.flagsZone();
            result = run(trap, timeoutNanos, Integer.MAX_VALUE);
        }
        if (filter != null) {
            filter.trap().close();
        }
        return result == Result.INTERRUPTED && zone.contains(tracee.register(Reg.RIP)) ? leave(zone) : result;
    }

    /**
     * Steps to where the flags are the guest's again; where the task stands they may be the probe's. The code may be a loop,
     * and the next instruction one of the same.
     */
    private Result leave(List<Long> zone) {
        Result result = Result.INTERRUPTED;
        boolean last = false;
        while (result == Result.INTERRUPTED && !last) {
            last = tracee.register(Reg.RIP) == zone.getLast();
            tracee.resume(Resume.EMULATE_STEP, 0);
            result = result(session.afterStop(task, session.tracer().waitFor(tracee), Resume.EMULATE_STEP));
        }
        return result;
    }

    /** What the end of a single step amounts to: a trap is the step's own. */
    private static Result result(ReplaySession.Arrival arrival) {
        return arrival == ReplaySession.Arrival.EVENT ? Result.EVENT : Result.INTERRUPTED;
    }

    /** Runs with a trap in place; null after so many visits that were not the landmark. */
    private Result run(LandmarkTrap trap, long timeoutNanos, int mostVisits) {
        // The time to put the trap in does not count, so that short times, too, lead ahead.
        long deadline = timeoutNanos < 0 ? Long.MAX_VALUE : System.nanoTime() + timeoutNanos;
        visits = 0;
        while (visits < mostVisits) {
            tracee.resume(trap.resume(), 0);
            WaitStatus stop = await(deadline);
            if (stop.event() == WaitStatus.EVENT_STOP) {
                if (tracee.faultPending()) {
                    continue;
                }
                showGuest(trap);
                if (interrupting) {
                    return matches(trap) ? Result.REACHED : Result.INTERRUPTED;
                }
                trap.hideGuest();
                continue;
            }
            Result result = afterStop(trap, stop);
            if (result != null) {
                return result;
            }
        }
        return null;
    }

    /** The next stop; asks for one when the time is over. */
    private WaitStatus await(long deadline) {
        if (!interrupting) {
            long timeout = deadline == Long.MAX_VALUE ? -1 : Math.max(1, deadline - System.nanoTime());
            WaitStatus stop = session.tracer().waitFor(tracee, timeout);
            if (stop != null) {
                return stop;
            }
            interrupting = true;
        }
        tracee.interrupt();
        return session.tracer().waitFor(tracee);
    }

    private Result afterStop(LandmarkTrap trap, WaitStatus stop) {
        Optional<Boolean> filtered = filter == null ? Optional.empty() : filter.visit(stop);
        if (filtered.isPresent()) {
            return filtered.get() ? Result.FILTERED : null;
        }
        switch (trap.classify(stop)) {
            case VISIT -> {
                return afterVisit(trap, true);
            }
            case PASSED -> {
                return null;
            }
            case UNREADABLE -> {
                if (together != null) {
                    // The second half of the probe has not been asked.
                    return afterVisit(trap, false);
                }
                if (search.wordUnreadable()) {
                    trap.showGuest();
                    trap.condition(condition());
                    trap.passVisit();
                }
                return null;
            }
            case FOREIGN -> {
                showGuest(trap);
                ReplaySession.Arrival arrival = session.afterStop(task, stop, Resume.EMULATE);
                if (arrival == null) {
                    trap.hideGuest();
                    return null;
                }
                return arrival == ReplaySession.Arrival.EVENT ? Result.EVENT : Result.TRAP;
            }
        }
        throw new IllegalStateException();
    }

    /**
     * Looks at a visit of the landmark's pc.
     *
     * @param readable whether the probe could read all it compares
     */
    private Result afterVisit(LandmarkTrap trap, boolean readable) {
        showGuest(trap);
        if (matches(trap)) {
            return Result.REACHED;
        }
        if (together != null
                && (together.enough().getAsBoolean() || together.wanted().getAsBoolean())) {
            return Result.FILTERED;
        }
        boolean changed = readable
                ? search.learn(tracee.registersView(), () -> LandmarkState.vectors(tracee), LandmarkPath.memory(tracee))
                : search.wordUnreadable();
        if (changed) {
            trap.condition(condition());
        }
        if (!probing && filter != null && filter.enough()) {
            return Result.INTERRUPTED;
        }
        if (probing) {
            trap.passVisit();
        } else {
            trap.hideGuest();
        }
        visits++;
        return null;
    }
}
