package dev.eremite.replay.session;

import dev.eremite.replay.session.LandmarkTrap.Kind;
import dev.eremite.replay.session.ReplaySession.Arrival;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.Tracee.Resume;
import dev.eremite.tracer.linux.WaitStatus;
import java.util.Optional;
import java.util.OptionalLong;

/** Counts the visits of a pc inside a segment, or runs to a certain one, at the speed of a probe in the guest. */
public final class VisitCount {
    /** Two patches, and the instructions that they displace, cannot overlap from this distance on. */
    private static final int APART = 20;

    private VisitCount() {}

    /**
     * Counts the visits of a pc from where a session stands to a point in the same segment. The session is not to be used
     * afterwards but for closing it.
     *
     * @param until the point, or null for the segment's end
     * @return empty where they cannot be counted so, or when the run was interrupted
     */
    public static OptionalLong count(ReplaySession session, long pc, LandmarkPath until) {
        long most = Long.MAX_VALUE;
        Optional<LandmarkTrap> trap = LandmarkTrap.counting(session.nextTask().tracee(), pc, most);
        if (trap.isEmpty()) {
            return OptionalLong.empty();
        }
        boolean reached;
        try {
            reached = until == null
                    ? session.run(Resume.EMULATE, -1) == Arrival.EVENT
                    : reach(session, pc, trap.get(), until);
        } catch (DivergenceException e) {
            // A fault of the guest in the code that the probe displaced looks strange from outside.
            return OptionalLong.empty();
        }
        return reached ? OptionalLong.of(most - trap.get().visitsLeft()) : OptionalLong.empty();
    }

    /**
     * Counts the visits of a point's own pc from where a session stands to the point, in the same segment. The session is not
     * to be used afterwards but for closing it.
     *
     * @return how many there are, the point itself among them; empty where they cannot be counted, or when interrupted
     */
    public static OptionalLong upTo(ReplaySession session, LandmarkPath point) {
        try {
            return LandmarkRun.count(session, point);
        } catch (DivergenceException e) {
            return OptionalLong.empty();
        }
    }

    private static boolean reach(ReplaySession session, long pc, LandmarkTrap trap, LandmarkPath until) {
        long end = until.landmark().registers()[Reg.RIP];
        if (trap.displaces(end)) {
            return end != pc && LandmarkRun.displacedBy(session, until, trap);
        }
        return apart(pc, until)
                ? LandmarkRun.runTo(session, until, -1) == LandmarkRun.Result.REACHED
                : LandmarkRun.byRegister(session, until).equals(Optional.of(LandmarkRun.Result.REACHED));
    }

    /** Whether visits of a pc up to a point can be counted at full speed, however many there are; null: the segment's end. */
    public static boolean apart(long pc, LandmarkPath until) {
        return until == null || Math.abs(until.landmark().registers()[Reg.RIP] - pc) >= APART;
    }

    /**
     * Runs a session to a visit of a pc.
     *
     * @param visit the number of the visit, 1 for the next; it must come before the segment ends
     * @return whether the session stands there; if not, it is not to be used any more
     */
    public static boolean runTo(ReplaySession session, long pc, long visit) {
        Tracee tracee = session.nextTask().tracee();
        session.moving();
        Optional<LandmarkTrap> counting = LandmarkTrap.counting(tracee, pc, visit);
        if (counting.isEmpty()) {
            return false;
        }
        try (LandmarkTrap trap = counting.get()) {
            while (true) {
                tracee.resume(trap.resume(), 0);
                WaitStatus stop = session.tracer().waitFor(tracee, -1);
                if (stop == null) {
                    tracee.interrupt();
                    session.tracer().waitFor(tracee);
                    return false;
                }
                Kind kind = trap.classify(stop);
                if (kind == Kind.VISIT) {
                    trap.showGuest();
                    return true;
                }
                if (kind == Kind.FOREIGN && stop.event() != WaitStatus.EVENT_STOP) {
                    return false;
                }
            }
        }
    }
}
