package dev.eremite.replay.timeline;

import dev.eremite.replay.event.Landmark;
import dev.eremite.replay.guest.LandmarkState;
import dev.eremite.replay.guest.MemorySpans;
import dev.eremite.replay.session.LandmarkPath;
import dev.eremite.replay.session.LandmarkRun;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.session.ReplaySession.Arrival;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.x86.Instruction;
import dev.eremite.tracer.x86.InstructionDecoder;
import dev.eremite.tracer.x86.MemoryReferences;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Names the place where a session stands, so that another one can be brought there. */
final class Places {
    /** How many instructions behind a place one is looked for that is found faster. */
    static final int FEW_STEPS = 16;

    private static final int LOOK_AHEAD = 160;
    private static final int WORD_LIMIT = 16;
    private static final long MEMORY_LIMIT = 4 << 20;

    private Places() {}

    /**
     * A goal at which a session would stand that has gone on from where this one stands by a few instructions at most: where
     * to end a run that need not end exactly there.
     *
     * @param session one that is not needed any more
     * @param here where it stands
     * @param limit a goal that the other must not pass
     */
    static Goal nearBehind(ReplaySession session, Goal here, Goal limit) {
        if (!here.slow() || limit.reached(session)) {
            return here;
        }
        for (int i = 0; i < FEW_STEPS; i++) {
            if (Run.step(session) != Arrival.TRAP || limit.reached(session)) {
                return here;
            }
            if (LandmarkRun.isFastTo(session)) {
                return of(session);
            }
        }
        return here;
    }

    /**
     * The goal at which a session like this one would stand as this one does.
     *
     * <p>A point inside a segment is named by the registers, the stack, and the words that the code there is about to use:
     * rounds of a loop that agree in all that do the same until they stop agreeing.
     */
    static Goal of(ReplaySession session) {
        if (session.atEnd() || !session.moved() && !session.ranToEvent()) {
            return new Goal.Boundary(session.position());
        }
        if (session.ranToEvent()) {
            return new Goal.Arrival(session.position());
        }
        LandmarkPath beyond = LandmarkRun.isFastTo(session) ? null : beyond(session);
        return new Goal.Within(session.position(), path(session), beyond);
    }

    /** The place some instructions on where a probe fits; null where there is none in this segment. */
    private static LandmarkPath beyond(ReplaySession session) {
        Optional<Snapshot> snapshot = History.freeze(session, 0);
        if (snapshot.isEmpty()) {
            return null;
        }
        try (ReplaySession copy = snapshot.get().frozen().thaw(session)) {
            for (int i = 0; i < FEW_STEPS && Run.step(copy) == Arrival.TRAP; i++) {
                if (LandmarkRun.isFastTo(copy)) {
                    return path(copy);
                }
            }
            return null;
        } finally {
            snapshot.get().drop();
        }
    }

    private static LandmarkPath path(ReplaySession session) {
        Tracee tracee = session.nextTask().tracee();
        List<Landmark.Word> words = new ArrayList<>(LandmarkState.stackWords(tracee));
        for (long address : wordsAhead(session)) {
            LandmarkState.word(tracee, address).ifPresent(value -> words.add(new Landmark.Word(address, value)));
        }
        long fingerprint = LandmarkState.fingerprint(tracee, words);
        Landmark landmark = new Landmark(
                tracee.registers(),
                LandmarkState.vectors(tracee),
                words,
                MemorySpans.ofProcess(tracee, MEMORY_LIMIT),
                fingerprint);
        return new LandmarkPath(landmark);
    }

    /** Addresses of the words outside the stack that the next instructions use, found by stepping a copy. */
    private static Set<Long> wordsAhead(ReplaySession session) {
        Set<Long> words = new TreeSet<>();
        History.freeze(session, 0).ifPresent(snapshot -> {
            try (ReplaySession copy = snapshot.frozen().thaw(session)) {
                for (int i = 0; i < LOOK_AHEAD && words.size() < WORD_LIMIT; i++) {
                    collect(copy.nextTask().tracee(), words);
                    // A loop goes on where a signal interrupts it: what tells its rounds apart may lie behind that.
                    if (Run.step(copy) != Arrival.TRAP && !copy.stepOverEvent()) {
                        break;
                    }
                }
            } finally {
                snapshot.drop();
            }
        });
        return words;
    }

    private static void collect(Tracee tracee, Set<Long> words) {
        long pc = tracee.register(Reg.RIP);
        byte[] code = tracee.memory().read(pc, InstructionDecoder.MAX_LENGTH);
        if (InstructionDecoder.decode(code, 0, pc) instanceof Instruction instruction) {
            for (long word :
                    MemoryReferences.of(instruction, tracee.registersView()).words()) {
                if (!LandmarkState.isOfStack(word, tracee.register(Reg.RSP))) {
                    words.add(word);
                }
            }
        }
    }
}
