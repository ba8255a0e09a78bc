package dev.eremite.replay.record;

import dev.eremite.detcore.syscall.CallView;
import dev.eremite.detcore.syscall.FutexOperation;
import dev.eremite.detcore.syscall.SyscallNumbers;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.Landmark;
import dev.eremite.replay.guest.LandmarkState;
import dev.eremite.replay.guest.MemorySpans;
import dev.eremite.replay.probe.LandmarkChoice;
import dev.eremite.replay.probe.LandmarkChoice.Telling;
import dev.eremite.replay.probe.LandmarkChooser;
import dev.eremite.replay.probe.Observation;
import dev.eremite.replay.probe.Probe;
import dev.eremite.replay.probe.ProbeCondition;
import dev.eremite.replay.probe.ProbePlacement;
import dev.eremite.replay.record.CodeStepper.Step;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Tracee.Resume;
import dev.eremite.tracer.linux.WaitStatus;
import dev.eremite.tracer.x86.Instruction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * Lets asynchronous events happen in the middle of code that makes no system calls: stops the task wherever it is, steps
 * it a little to see what tells one place from another, and brings it to a place that replay can find.
 */
final class Landing {
    /** Steps of a window; loops longer than that are looked at for longer. */
    private static final int WINDOW = 256;

    private static final int LONG_WINDOW = 2048;

    /** How far the task is stepped to the chosen place. */
    private static final int APPROACH = 4096;

    private static final int MAX_PAGES = 8;

    private static final int MAX_SAMPLED_PAGES = 64;
    private static final long PAGE = 4096;

    /** Words that have changed in a moment, and pages of the program's data, that a landmark holds. */
    private static final int MAX_CHANGED = 8;

    private static final int MAX_DATA_PAGES = 16;

    /** Bytes of the program's data that a landmark covers; all of them are read at each place that looks alike. */
    private static final long MAX_MEMORY = 16 << 20;

    /** In this time the inner loops of most programs come to their ends. */
    private static final long SAMPLE_NANOS = 1_000_000;

    /** On a busy machine the task may not run at once. */
    private static final int SAMPLE_ATTEMPTS = 10;

    private final Recorder recorder;

    Landing(Recorder recorder) {
        this.recorder = recorder;
    }

    /**
     * Called while the current task runs guest code and nothing comes from it. When a signal has been held back for too
     * long, or others have waited too long for the processor, makes that happen.
     *
     * @param othersWait whether the task is to be preempted
     * @return a stop of the task to be handled, or null
     */
    WaitStatus interrupt(RecordedTask task, boolean othersWait) {
        task.tracee.interrupt();
        WaitStatus stop = recorder.tracer().waitFor(task.tracee);
        if (stop.event() != WaitStatus.EVENT_STOP || stop.groupStop()) {
            // It stopped by itself just then, which also clears the request to stop.
            return stop;
        }
        recorder.signals().renewDeadline(task);
        if (!othersWait && !recorder.signals().isDue(task)) {
            task.tracee.resume(Resume.CONTINUE, 0);
            return null;
        }
        recorder.signals().quiet(task);
        CodeStepper stepper = new CodeStepper(task, recorder.signals());
        List<Observation> window = new ArrayList<>();
        Step step = look(stepper, window);
        MemorySample sample = null;
        if (step == Step.DONE) {
            sample = new MemorySample(task.tracee, touchedPages(task, window, MAX_SAMPLED_PAGES));
            stop = runOn(task);
            if (stop != null) {
                return stop;
            }
            window.clear();
            step = look(stepper, window);
        }
        Landmark landmark = null;
        if (step == Step.DONE) {
            Map<Long, Boolean> probeable = new HashMap<>();
            ProbePlacement placement = new ProbePlacement(task.tracee);
            LongPredicate suitable = pc -> probeable.computeIfAbsent(pc, p -> isSuitable(stepper, placement, p));
            Optional<LandmarkChoice> choice = choose(window, stepper, suitable, placement);
            step = approach(stepper, choice, suitable);
            if (step == Step.DONE) {
                landmark = name(task, stepper, window, choice, sample);
                task.spins = choice.isPresent() && choice.get().telling() == Telling.SAME_STATE;
            }
        }
        return switch (step) {
            case STOPPED -> stepper.stop();
            case BOUNDARY -> {
                // What comes next is an event by itself, and everything can happen there.
                task.boundary = null;
                task.tracee.resume(Resume.CONTINUE, 0);
                yield null;
            }
            case DONE -> {
                land(task, landmark, othersWait);
                yield null;
            }
        };
    }

    /**
     * Logs where the current task is, before it is killed: what it has done since its last event should not be lost to who
     * looks for the reason why it has not ended.
     *
     * @return a stop that came instead, or null
     */
    WaitStatus keepPlace(RecordedTask task) {
        if (task.call == null) {
            return interrupt(task, true);
        }
        recorder.logEntry(task);
        return null;
    }

    /**
     * Lets the task run for a moment, so that something changes.
     *
     * @return null when it stands inside its code again, or else the stop that came instead
     */
    private WaitStatus runOn(RecordedTask task) {
        long start = recorder.tracer().processorNanos(task.tid);
        for (int i = 0; i < SAMPLE_ATTEMPTS; i++) {
            task.tracee.resume(Resume.CONTINUE, 0);
            WaitStatus stop = recorder.tracer().waitFor(task.tracee, SAMPLE_NANOS);
            if (stop == null) {
                task.tracee.interrupt();
                stop = recorder.tracer().waitFor(task.tracee);
            }
            boolean interrupted = stop.event() == WaitStatus.EVENT_STOP && !stop.groupStop();
            if (!interrupted && !recorder.signals().holdBack(task, stop)) {
                return stop;
            }
            if (recorder.tracer().processorNanos(task.tid) - start > SAMPLE_NANOS / 2) {
                break;
            }
        }
        return null;
    }

    /** Takes the place with the fastest probe among equally good ones. */
    private static Optional<LandmarkChoice> choose(
            List<Observation> window, CodeStepper stepper, LongPredicate suitable, ProbePlacement placement) {
        Optional<LandmarkChoice> choice = LandmarkChooser.choose(window, suitable)
                .filter(c -> c.telling() != Telling.ONCE && isFindable(stepper, c.pc()));
        if (choice.isEmpty() || placement.flagsFree(choice.get().pc()).isPresent()) {
            return choice;
        }
        LongPredicate fast = pc -> placement.flagsFree(pc).isPresent() && suitable.test(pc);
        Optional<LandmarkChoice> faster = LandmarkChooser.choose(window, fast)
                .filter(c -> c.telling() == choice.get().telling()
                        && c.visits() <= choice.get().visits() + 1
                        && fast.test(c.pc()));
        return faster.isPresent() ? faster : choice;
    }

    private static boolean isSuitable(CodeStepper stepper, ProbePlacement placement, long pc) {
        return isFindable(stepper, pc)
                && placement.plan(pc, ProbeCondition.comparing(), false) instanceof Probe probe
                && probe.closed()
                && !placement.isEntered();
    }

    /** The rounds of a repeated string instruction have the same pc but pass no breakpoint or probe. */
    private static boolean isFindable(CodeStepper stepper, long pc) {
        Instruction instruction = stepper.at(pc);
        return instruction != null && !instruction.repeatsString();
    }

    private static Step look(CodeStepper stepper, List<Observation> window) {
        Map<Long, Integer> visits = new HashMap<>();
        boolean loops = false;
        while (window.size() < WINDOW || !loops && window.size() < LONG_WINDOW) {
            long pc = stepper.registers()[Reg.RIP];
            Step step = stepper.step(window);
            if (step != Step.DONE) {
                return step;
            }
            loops |= visits.merge(pc, 1, Integer::sum) > 1;
        }
        return Step.DONE;
    }

    /**
     * Steps to the chosen place. Where no probe can be put at it (a recursion that unwinds shows nothing but a few short
     * instructions), any place further on that takes one is better: in replay each visit of the other costs a stop.
     */
    private static Step approach(CodeStepper stepper, Optional<LandmarkChoice> choice, LongPredicate suitable) {
        boolean chosen = choice.isPresent()
                && (choice.get().telling() == Telling.SAME_STATE
                        || suitable.test(choice.get().pc()));
        Step step = chosen ? Step.DONE : approach(stepper, orRound(stepper, suitable));
        boolean found = !chosen && step == Step.DONE && suitable.test(stepper.registers()[Reg.RIP]);
        return choice.isPresent() && !found && step == Step.DONE
                ? approach(stepper, pc -> pc == choice.get().pc())
                : step;
    }

    /** Whether a place is suitable, or a whole round of a loop has shown none that is. */
    private static LongPredicate orRound(CodeStepper stepper, LongPredicate suitable) {
        long[] start = stepper.registers();
        int[] steps = {0};
        return pc -> suitable.test(pc)
                || steps[0]++ > 0 && pc == start[Reg.RIP] && stepper.registers()[Reg.RSP] == start[Reg.RSP];
    }

    /** Steps on until the task stands where it should; DONE also when that takes too long. */
    private static Step approach(CodeStepper stepper, LongPredicate wanted) {
        for (int i = 0; i < APPROACH; i++) {
            long pc = stepper.registers()[Reg.RIP];
            if (wanted.test(pc)) {
                return Step.DONE;
            }
            Step step = stepper.step(null);
            if (step != Step.DONE) {
                return step;
            }
        }
        while (!isFindable(stepper, stepper.registers()[Reg.RIP])) {
            Step step = stepper.step(null);
            if (step != Step.DONE) {
                return step;
            }
        }
        return Step.DONE;
    }

    private Landmark name(
            RecordedTask task,
            CodeStepper stepper,
            List<Observation> window,
            Optional<LandmarkChoice> choice,
            MemorySample sample) {
        Map<Long, Long> words = new LinkedHashMap<>();
        ProbeCondition.Words memory = address -> LandmarkState.word(task.tracee, address);
        choice.ifPresent(c -> c.words().forEach(a -> memory.at(a).ifPresent(v -> words.put(a, v))));
        List<Long> changed = sample.changed(MAX_CHANGED);
        changed.forEach(address -> memory.at(address).ifPresent(value -> words.putIfAbsent(address, value)));
        touchedPages(task, window, MAX_PAGES)
                .forEach(address -> memory.at(address).ifPresent(value -> words.putIfAbsent(address, value)));
        boolean repeats = memoryRepeats(task);
        if (!repeats) {
            sample.pages(MAX_DATA_PAGES)
                    .forEach(address -> memory.at(address).ifPresent(value -> words.putIfAbsent(address, value)));
        }
        LandmarkState.stackWords(task.tracee).forEach(word -> words.putIfAbsent(word.address(), word.value()));
        List<Landmark.Word> all = words.entrySet().stream()
                .map(e -> new Landmark.Word(e.getKey(), e.getValue()))
                .toList();
        return new Landmark(
                stepper.registers(),
                LandmarkState.vectors(task.tracee),
                all,
                repeats ? MemorySpans.ofProcess(task.tracee, MAX_MEMORY) : MemorySpans.ofStack(task.tracee),
                LandmarkState.fingerprint(task.tracee, all));
    }

    /**
     * Whether all private memory of a task will be the same in replay at this place. The kernel may have written already
     * what a waiting call of another thread returns, which replay shows at that call's event.
     */
    private boolean memoryRepeats(RecordedTask task) {
        return recorder.tasks().stream()
                .filter(other -> other != task && other.call != null && other.state != RecordedTask.State.DEAD)
                .filter(other -> other.process == task.process || other.borrowsMemory || task.borrowsMemory)
                .allMatch(other ->
                        other.call.row.outputs().isEmpty() || other.call.redirected || onlyWaits(other.call.view));
    }

    private static boolean onlyWaits(CallView call) {
        return call.number() == SyscallNumbers.FUTEX && FutexOperation.onlyWaits(call.arg(1));
    }

    /** The first addresses of the pages outside the stack that the steps touch. */
    private static List<Long> touchedPages(RecordedTask task, List<Observation> window, int most) {
        long rsp = task.tracee.register(Reg.RSP);
        return window.stream()
                .flatMap(observation -> observation.words().keySet().stream())
                .filter(address -> !LandmarkState.isOfStack(address, rsp))
                .map(address -> address & -PAGE)
                .distinct()
                .limit(most)
                .toList();
    }

    private void land(RecordedTask task, Landmark landmark, boolean othersWait) {
        recorder.signals().listen(task);
        if (recorder.signals().isDue(task)) {
            recorder.signals().raiseDeferred(task);
            task.setBoundary(landmark);
            task.tracee.resume(Resume.CONTINUE, 0);
        } else if (othersWait) {
            recorder.append(new Event.Preempt(task.tid, recorder.proof(task), landmark));
            recorder.makeReady(task);
        } else {
            task.boundary = null;
            task.tracee.resume(Resume.CONTINUE, 0);
        }
    }
}
