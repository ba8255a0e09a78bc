package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.Breakpoint;
import dev.eremite.replay.debug.DebugTarget.BreakpointKind;
import dev.eremite.replay.debug.DebugTarget.Direction;
import dev.eremite.replay.debug.DebugTarget.Movement;
import dev.eremite.replay.debug.Stop;
import dev.eremite.replay.debug.Stop.Reason;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.session.RecordingSource;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.session.ReplayTask;
import dev.eremite.replay.timeline.Companions.Settled;
import dev.eremite.replay.timeline.EventStops.Candidate;
import dev.eremite.replay.timeline.Run.End;
import dev.eremite.replay.timeline.Run.Outcome;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.TaskGoneException;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongUnaryOperator;

/** The present place of a recording, and the ways from there to others, forwards and backwards. */
final class Journey implements AutoCloseable {
    private final RecordingSource source;
    private final DebugScope scope;
    private final Stops stops;
    private final EventStops events;
    private final Telling telling;
    private final History history = new History();
    private final List<Breakpoint> breakpoints;
    private final BooleanSupplier interrupted;
    private final Checkpoints checkpoints;
    private ReplaySession present;
    private StepWindow window;
    private int windowStep;
    /** The thread whose last step back led nowhere; 0 for none. */
    private int atBirth;

    /**
     * Begins where a session stands, which is the beginning of history.
     *
     * @param breakpoints those that are live at each move
     * @param interrupted whether the user wants a move to end
     */
    Journey(
            RecordingSource source,
            DebugScope scope,
            ReplaySession start,
            List<Breakpoint> breakpoints,
            BooleanSupplier interrupted) {
        this.source = source;
        this.scope = scope;
        this.breakpoints = breakpoints;
        this.interrupted = interrupted;
        present = start;
        stops = new Stops(scope, source);
        events = new EventStops(scope, source, start.position());
        telling = new Telling(events);
        checkpoints = new Checkpoints(history, History.freeze(present, 0).orElseThrow());
    }

    /** A session that stands at the present place; to be looked at only. */
    ReplaySession present() {
        return present;
    }

    /** Goes on as a debugger asks for, to the next stop. */
    Stop move(Movement movement) {
        boolean forward = movement.direction() == Direction.FORWARD;
        Stop moved;
        if (forward || movement.thread() != atBirth) {
            atBirth = 0;
        }
        if (movement.thread() == 0) {
            moved = forward ? goForward() : goBack();
        } else {
            Run run = newRun();
            do {
                moved = forward ? stepForward(movement.thread(), run) : stepBack(movement.thread());
            } while (moved.reason() == Reason.STEP && inRange(movement, moved.thread()) && !interrupted.getAsBoolean());
        }
        scope.output().shown(present.position());
        return moved;
    }

    private boolean inRange(Movement movement, int thread) {
        long pc = task(thread).tracee().register(Reg.RIP);
        return movement.rangeStart() <= pc && pc < movement.rangeEnd();
    }

    private Stop goForward() {
        leaveWindow();
        Optional<EventStop> here = telling.ahead(present);
        if (here.isPresent()) {
            return tell(here.get());
        }
        telling.anywhere();
        Optional<WatchGroups> grouped = groups(breakpoints);
        Optional<Snapshot> standing = grouped.isPresent() ? History.freeze(present, 0) : Optional.empty();
        if (standing.isEmpty()) {
            return forwardStop(continueWith(newRun(), null));
        }
        WatchGroups groups = grouped.get();
        try (Snapshot start = standing.get();
                Companions others = new Companions(present, start, scope, groups, interrupted)) {
            Outcome outcome = continueWith(new Run(present, scope, groups.first(), events, interrupted), others);
            return forwardStop(new Outcome(outcome.end(), groups.whole(outcome.hit()), outcome.byEvent()));
        }
    }

    /** Groups of breakpoints where that is better than stepping: the values that others write are seen by one run only. */
    private Optional<WatchGroups> groups(List<Breakpoint> points) {
        return WatchGroups.of(points).filter(groups -> predecessor().oneProcess());
    }

    private Outcome continueWith(Run run, Companions others) {
        Outcome left = null;
        if (!present.atEnd() && present.arrived()) {
            run.arrivalTold();
        } else if (!present.atEnd()) {
            left = run.leaveBreakpoint();
        }
        return left != null ? follow(run, others, left) : advance(run, new Goal.End(), others);
    }

    private Outcome advance(Run run, Goal goal, Companions others) {
        LongUnaryOperator slice = spacing -> others == null ? spacing : others.slice(spacing);
        return checkpoints.advance(present, run, goal, slice, outcome -> follow(run, others, outcome));
    }

    /** Where companions have to stop earlier than the present has, that is where it stops. */
    private Outcome follow(Run run, Companions others, Outcome outcome) {
        if (others == null) {
            return outcome;
        }
        Settled settled = others.follow(present, run, outcome);
        if (settled.earlier() != null) {
            replacePresent(settled.earlier());
        }
        return settled.outcome();
    }

    private Run newRun() {
        return new Run(present, scope, breakpoints, events, interrupted);
    }

    private Stop forwardStop(Outcome outcome) {
        if (outcome.end() == End.EVENT || outcome.byEvent()) {
            telling.behindEvent();
        }
        return switch (outcome.end()) {
            case HIT -> stops.hit(present, outcome.hit());
            case EVENT -> tell(telling.ahead(present).orElseThrow());
            case HISTORY_END, GOAL -> stopAt(Reason.HISTORY_END, null);
            case INTERRUPTED, TIME, CROWDED -> stopAt(Reason.INTERRUPTED, null);
        };
    }

    /** Tells what an event does; what the debugger sees is changed by that. */
    private Stop tell(EventStop told) {
        switch (told.reason()) {
            case FORK -> scope.adopt(told.number());
            case VFORK -> {
                scope.adopt(told.number());
                scope.awaitMemory(told.process(), true);
            }
            case VFORK_DONE -> scope.awaitMemory(told.process(), false);
            case EXEC -> breakpoints.removeIf(point -> point.process() == told.process());
            case EXITED -> {
                breakpoints.removeIf(point -> point.process() == told.process());
                if (told.ways() == EventStop.Ways.BACKWARD) {
                    scope.forget(told.process());
                }
            }
            default -> {
                // It changes nothing.
            }
        }
        return stops.event(present, told);
    }

    private Stop stopAt(Reason reason, ReplayTask where) {
        return stops.at(present, reason, where);
    }

    /** Moves forward until the thread has executed one instruction. */
    private Stop stepForward(int thread, Run run) {
        leaveWindow();
        while (true) {
            Optional<EventStop> here = telling.ahead(present);
            if (here.isPresent()) {
                return tell(here.get());
            }
            telling.anywhere();
            if (scope.ended(present)) {
                return stopAt(Reason.HISTORY_END, null);
            }
            if (interrupted.getAsBoolean()) {
                return stopAt(Reason.INTERRUPTED, null);
            }
            ReplayTask next = present.nextTask();
            boolean own = next != null && next.tid() == thread;
            if (present.arrived()) {
                Event event = present.nextEvent();
                Outcome watched = run.single();
                if (watched != null) {
                    return forwardStop(watched);
                }
                boolean stepped = own && !(event instanceof Event.SyscallEnter) && !isEnginesOwn(event);
                if (stepped || task(thread) == null) {
                    return stopAt(Reason.STEP, task(thread));
                }
            } else if (own) {
                Outcome watched = run.single();
                if (watched != null) {
                    return forwardStop(watched);
                }
                if (!present.arrived()) {
                    return stopAt(Reason.STEP, next);
                }
            } else {
                Outcome outcome = run.go(new Goal.Arrival(present.position()), -1);
                if (outcome.end() != End.GOAL) {
                    return forwardStop(outcome);
                }
            }
        }
    }

    private static boolean isEnginesOwn(Event event) {
        return event instanceof Event.Preempt || event instanceof Event.ClockTrap;
    }

    private Predecessor predecessor() {
        return new Predecessor(source, events, scope, history, present, interrupted);
    }

    private Backward search() {
        return new Backward(predecessor(), scope, history, present, interrupted);
    }

    private Stop goBack() {
        Optional<EventStop> told = telling.back(present, false);
        if (told.isPresent()) {
            return tell(told.get());
        }
        Optional<Found> near =
                new WindowSearch(scope, present, interrupted).lastHit(window, windowStep, baseOfPresent(), breakpoints);
        if (near.isPresent()) {
            arriveAt(near.get());
            return stops.hit(present, near.get().hit());
        }
        keepWindowsBeginning();
        Goal here = Places.of(present);
        Optional<Candidate> event = events.lastBefore(here, Moment.BEGINNING, false);
        Moment limit = event.map(found -> Moment.of(found.goal())).orElse(Moment.BEGINNING);
        Optional<Found> found = lastHit(here, breakpoints, limit);
        if (found.isPresent()) {
            arriveAt(found.get());
            return stops.hit(present, found.get().hit());
        }
        if (interrupted.getAsBoolean()) {
            return stopAt(Reason.INTERRUPTED, null);
        }
        return event.isPresent() ? goTo(event.get()) : toBeginning();
    }

    /** The last hit before the present place, behind a limit. */
    private Optional<Found> lastHit(Goal here, List<Breakpoint> points, Moment limit) {
        Backward search = search();
        Optional<WatchGroups> groups = groups(points);
        return groups.isEmpty()
                ? search.lastHit(here, baseOfPresent(), points, limit)
                : new GroupedSearch(search, scope, history, present, interrupted)
                        .lastHit(here, this::baseOfPresent, groups.get(), limit);
    }

    /** Makes the beginning of the known steps a checkpoint, since what is looked for mostly is not far before them. */
    private void keepWindowsBeginning() {
        if (window != null) {
            checkpoints.add(window.release(), present);
            window = null;
        }
    }

    /** Goes back to where something is told. */
    private Stop goTo(Candidate event) {
        boolean away = !Moment.of(present).equals(Moment.of(event.goal()));
        Optional<Found> found = away ? predecessor().standing(event.goal()) : Optional.empty();
        if (away && found.isEmpty()) {
            return stopAt(Reason.INTERRUPTED, null);
        }
        found.ifPresent(this::arriveAt);
        if (event.begin()) {
            return stopAt(Reason.HISTORY_BEGIN, null);
        }
        telling.at(event.index());
        return tell(events.at(present).get(event.index()));
    }

    private Found beginning() {
        Snapshot first = history.get(0);
        return new Found(first.frozen().thaw(present), first, null, null, 0);
    }

    /** Goes to the beginning of history. */
    Stop toBeginning() {
        arriveAt(beginning());
        return stopAt(Reason.HISTORY_BEGIN, null);
    }

    /** One step back; where it goes over a change of watched memory, that is what is reported. */
    private Stop stepBack(int thread) {
        WatchedValues before = WatchedValues.of(breakpoints, this::memory);
        Stop step = oneBack(thread);
        Optional<Breakpoint> changed = step.reason() == Reason.STEP ? before.changed() : Optional.empty();
        return changed.isPresent() ? stops.hit(present, changed.get()) : step;
    }

    /**
     * Whether a thread's first step back from its first instruction is to lead nowhere, and only the next to the beginning of
     * history. GDB steps over a breakpoint before it goes on back; after an end of history in between it never moves again.
     */
    private boolean beforeBirth(int thread) {
        boolean first = thread != 0 && thread != task(thread).process().pid() && thread != atBirth;
        atBirth = first ? thread : 0;
        return first;
    }

    private Stop oneBack(int thread) {
        if (window != null && windowStep > 0 && present.nextTask().tid() == thread) {
            ReplaySession earlier = window.at(windowStep - 1, present);
            windowStep--;
            replacePresent(earlier);
            return stopAt(Reason.STEP, task(thread));
        }
        Optional<EventStop> told = telling.back(present, true);
        if (told.isPresent()) {
            return tell(told.get());
        }
        Goal here = Places.of(present);
        Optional<Found> found = predecessor().of(here, baseOfPresent(), thread);
        if (found.isEmpty() && interrupted.getAsBoolean()) {
            return stopAt(Reason.INTERRUPTED, null);
        }
        Moment lowest = found.map(step -> Moment.of(step.session())).orElse(Moment.BEGINNING);
        Optional<Candidate> event = events.lastBefore(here, lowest, true);
        if (event.isPresent()) {
            found.ifPresent(Found::close);
            return goTo(event.get());
        }
        if (found.isEmpty()) {
            return beforeBirth(thread) ? stopAt(Reason.STEP, task(thread)) : toBeginning();
        }
        arriveAt(found.get());
        return stopAt(Reason.STEP, task(thread));
    }

    private Snapshot baseOfPresent() {
        return checkpoints.before(present);
    }

    private void arriveAt(Found found) {
        replacePresent(found.session());
        checkpoints.arrived(found.base());
        if (found.window() != window) {
            leaveWindow();
        }
        window = found.window();
        windowStep = found.step();
    }

    /**
     * After a move that failed in the engine's own work: stands at the last checkpoint, since the processes of the present
     * place may be gone, or in the midst of something.
     *
     * @throws TaskGoneException when the processes of all checkpoints are gone, too
     */
    void recover() {
        int last = history.indexOf(baseOfPresent());
        leaveWindow();
        ReplaySession session = null;
        while (session == null) {
            try {
                session = history.get(last).frozen().thaw(present);
            } catch (TaskGoneException e) {
                if (last == 0) {
                    throw e;
                }
                last--;
            }
        }
        checkpoints.arrived(history.get(last));
        replacePresent(session);
        scope.beginAgainIfEmpty(present);
    }

    private void replacePresent(ReplaySession session) {
        ReplaySession old = present;
        present = session;
        telling.anywhere();
        old.close();
    }

    private void leaveWindow() {
        if (window != null) {
            window.close();
            window = null;
        }
    }

    private byte[] memory(int process, long address, int length) {
        ReplayTask any = scope.anyTask(present, process);
        return any == null ? new byte[0] : any.tracee().memory().read(address, length);
    }

    private ReplayTask task(int thread) {
        return present.tasks().get(thread);
    }

    /** Goes to a place without regard to breakpoints; false when interrupted on the way, wherever that is. */
    boolean seek(Goal goal) {
        boolean there;
        if (goal.event() > present.position()) {
            leaveWindow();
            telling.anywhere();
            there = runTo(goal);
        } else {
            Optional<Found> found = goal.event() < history.get(0).event()
                    ? Optional.of(beginning())
                    : predecessor().standing(goal);
            found.ifPresent(this::arriveAt);
            there = found.isPresent();
        }
        scope.beginAgainIfEmpty(present);
        return there;
    }

    private boolean runTo(Goal goal) {
        End end = advance(new Run(present, scope, List.of(), interrupted), goal, null)
                .end();
        scope.output().shown(present.position());
        return end != End.INTERRUPTED;
    }

    /** Goes back to the last change of some memory: a hit, the beginning of history, or an interruption. */
    End backToWrite(int process, long address, long length) {
        Breakpoint watch = new Breakpoint(BreakpointKind.WRITE, process, address, length, List.of());
        Optional<Found> found = lastHit(Places.of(present), List.of(watch), Moment.BEGINNING);
        if (found.isEmpty()) {
            return interrupted.getAsBoolean() ? End.INTERRUPTED : End.HISTORY_END;
        }
        arriveAt(found.get());
        return End.HIT;
    }

    @Override
    public void close() {
        leaveWindow();
        history.close();
    }
}
