package dev.eremite.replay.session;

import dev.eremite.replay.probe.Comparison;
import dev.eremite.replay.probe.ProbeAssembler;
import dev.eremite.replay.probe.ProbeCondition;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.Tracee.Resume;
import dev.eremite.tracer.linux.Tracer;
import dev.eremite.tracer.linux.WaitStatus;
import dev.eremite.tracer.x86.Instruction;
import dev.eremite.tracer.x86.InstructionDecoder;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Runs the task of the next event through code that it visits often while few visits are of interest: a probe in the guest
 * lets those pass at which some comparison fails. Whatever ends the run, the guest's code is as it was before.
 */
public final class FilteredRun {
    /** Why a run ended. */
    public enum Result {
        /** The task stands at the place, whose instruction has not run, and the visit is wanted. */
        VISIT,
        /** The task stands at the goal. */
        REACHED,
        /** The task stands where the next event happens. */
        EVENT,
        /** A breakpoint or watchpoint of somebody else. */
        TRAP,
        /** The time was over or somebody asked to stop. */
        INTERRUPTED,
        /** The goal is so near the place that visits cannot be filtered; nothing has run. */
        TOO_NEAR
    }

    /**
     * Which visits are of interest.
     *
     * @param pc the place; no trap of somebody else stands there
     * @param comparisons what must hold at a visit, up to {@link ProbeCondition#MAX_COMPARISONS}; others cost nothing
     * @param wanted is asked at visits for which all comparisons hold, the task's registers being the guest's
     * @param enough whether to stop at any visit, because somebody asked to or the time is over
     */
    public record Filter(long pc, List<Comparison> comparisons, BooleanSupplier wanted, BooleanSupplier enough) {}

    private final ReplaySession session;
    private final ReplayTask task;
    private final Tracee tracee;
    private final Filter filter;
    private final LandmarkTrap trap;

    private FilteredRun(ReplaySession session, Filter filter, LandmarkTrap trap) {
        this.session = session;
        this.filter = filter;
        this.trap = trap;
        task = session.nextTask();
        tracee = task.tracee();
    }

    /**
     * Runs.
     *
     * @param session a session that has not arrived at its next event
     * @param goal a point ahead in the same segment, or null
     * @param timeoutNanos when to interrupt it; negative: only on {@link Tracer#wake}
     * @return empty where visits cannot be filtered; then nothing has run
     */
    public static Optional<Result> run(ReplaySession session, Filter filter, LandmarkPath goal, long timeoutNanos) {
        Tracee tracee = session.nextTask().tracee();
        LandmarkPath own = session.ahead();
        if (own != null && own.isAt(tracee)) {
            return Optional.empty();
        }
        if (tracee.register(Reg.RIP) == filter.pc() && filter.wanted().getAsBoolean()) {
            return Optional.of(Result.VISIT);
        }
        LandmarkPath path = goal != null ? goal : own;
        long end = path == null ? 0 : path.landmark().registers()[Reg.RIP];
        boolean apart = path == null || apart(tracee, end, filter.pc());
        if (goal != null && end != filter.pc() && !apart) {
            return Optional.of(Result.TOO_NEAR);
        }
        if (path != null && end == filter.pc()) {
            return LandmarkRun.runTogether(session, path, filter, timeoutNanos)
                    .map(FilteredRun::of)
                    .map(result -> goal == null ? arrived(session, result) : result);
        }
        ProbeCondition condition = new ProbeCondition(filter.comparisons(), false);
        Optional<LandmarkTrap> installed = LandmarkTrap.probe(tracee, filter.pc(), condition);
        if (installed.isEmpty()) {
            return Optional.empty();
        }
        try (LandmarkTrap trap = installed.get()) {
            session.moving();
            FilteredRun run = new FilteredRun(session, filter, trap);
            if (path == null) {
                return Optional.of(run.toEvent(timeoutNanos));
            }
            Result result = of(new LandmarkRun(session, path, run, apart).run(timeoutNanos));
            return Optional.of(goal == null ? arrived(session, result) : result);
        }
    }

    /** What it means to have reached a landmark at which the next event happens. */
    private static Result arrived(ReplaySession session, Result result) {
        if (result != Result.REACHED) {
            return result;
        }
        session.reachedLandmark();
        return Result.EVENT;
    }

    private static Result of(LandmarkRun.Result result) {
        return switch (result) {
            case REACHED -> Result.REACHED;
            case EVENT -> Result.EVENT;
            case TRAP -> Result.TRAP;
            case INTERRUPTED -> Result.INTERRUPTED;
            case FILTERED -> Result.VISIT;
        };
    }

    /** Whether probes at two places displace different instructions. */
    public static boolean apart(Tracee tracee, long one, long other) {
        long first = Math.min(one, other);
        long end = first;
        while (end < first + ProbeAssembler.PATCH_BYTES) {
            byte[] code = tracee.memory().read(end, InstructionDecoder.MAX_LENGTH);
            if (!(InstructionDecoder.decode(code, 0, end) instanceof Instruction instruction)) {
                return false;
            }
            end += instruction.length();
        }
        return one != other && end <= Math.max(one, other);
    }

    private Result toEvent(long timeoutNanos) {
        long deadline = timeoutNanos < 0 ? Long.MAX_VALUE : System.nanoTime() + timeoutNanos;
        boolean interrupting = false;
        while (true) {
            tracee.resume(Resume.EMULATE, 0);
            WaitStatus stop = null;
            if (!interrupting) {
                long left = deadline == Long.MAX_VALUE ? -1 : Math.max(1, deadline - System.nanoTime());
                stop = session.tracer().waitFor(tracee, left);
                interrupting = stop == null;
            }
            if (interrupting) {
                tracee.interrupt();
                stop = session.tracer().waitFor(tracee);
            }
            Optional<Boolean> visit = visit(stop);
            if (visit.isPresent()) {
                if (visit.get()) {
                    return Result.VISIT;
                }
                continue;
            }
            if (stop.event() == WaitStatus.EVENT_STOP && tracee.faultPending()) {
                continue;
            }
            trap.showGuest();
            if (stop.event() == WaitStatus.EVENT_STOP) {
                if (interrupting) {
                    return Result.INTERRUPTED;
                }
                trap.hideGuest();
                continue;
            }
            ReplaySession.Arrival arrival = session.afterStop(task, stop, Resume.EMULATE);
            if (arrival != null) {
                return arrival == ReplaySession.Arrival.EVENT ? Result.EVENT : Result.TRAP;
            }
            trap.hideGuest();
        }
    }

    /**
     * Looks at a stop, and lets a visit that is not wanted pass.
     *
     * @return whether it is a wanted visit, at which the task is shown as the guest's; empty if the stop is no affair of
     *     the filter's
     */
    Optional<Boolean> visit(WaitStatus stop) {
        return switch (trap.classify(stop)) {
            case VISIT, UNREADABLE -> {
                // Where a word cannot be read, the one who asked is to find out.
                trap.showGuest();
                boolean wanted = enough() || filter.wanted().getAsBoolean();
                if (!wanted) {
                    trap.passVisit();
                }
                yield Optional.of(wanted);
            }
            case PASSED -> Optional.of(false);
            case FOREIGN -> Optional.empty();
        };
    }

    /** Whether to stop at any visit. */
    boolean enough() {
        return filter.enough().getAsBoolean();
    }

    /** The probe that filters. */
    LandmarkTrap trap() {
        return trap;
    }
}
