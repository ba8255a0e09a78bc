package dev.eremite.replay.probe;

import dev.eremite.replay.event.Landmark;
import dev.eremite.replay.probe.LandmarkChoice.Telling;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.x86.UserRegisters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongPredicate;

/**
 * Chooses where an asynchronous event lands in code that makes no system calls, from a window of single steps: a pc
 * that the program keeps coming back to, at which registers or memory words tell each visit from the others.
 */
public final class LandmarkChooser {
    /** A probe compares this many values at most. */
    private static final int MAX_TESTS = ProbeCondition.MAX_COMPARISONS;
    /** A landmark carries few words: each costs a read at each false stop. */
    private static final int MAX_WORDS = 8;

    private final List<Observation> window;
    private final WindowWords words;

    private LandmarkChooser(List<Observation> window) {
        this.window = window;
        this.words = new WindowWords(window);
    }

    /** A value that may tell visits apart: a register by its index, or a word by its address. */
    private record Value(boolean register, long name) {}

    /**
     * Chooses a pc.
     *
     * @param window consecutive single steps of one task, oldest first, with no other task running in between
     * @param probeable whether a probe can be put at a pc (see {@link ProbeAssembler}; best if it asks for
     *     {@link Probe#closed} ones); pcs for which it says no are taken only when there are no others
     * @return the choice, or empty for an empty window
     */
    public static Optional<LandmarkChoice> choose(List<Observation> window, LongPredicate probeable) {
        if (window.isEmpty()) {
            return Optional.empty();
        }
        LandmarkChooser chooser = new LandmarkChooser(window);
        Map<Long, List<Integer>> visits = new LinkedHashMap<>();
        for (int step = 0; step < window.size(); step++) {
            visits.computeIfAbsent(window.get(step).pc(), pc -> new ArrayList<>())
                    .add(step);
        }
        Comparator<LandmarkChoice> order = Comparator.comparing(LandmarkChoice::telling)
                .thenComparing(choice -> choice.words().isEmpty())
                .thenComparing(choice -> choice.registers().size())
                // a pc of an outer loop has fewer visits on the way to the landmark
                .thenComparing(LandmarkChoice::visits);
        List<LandmarkChoice> choices = visits.entrySet().stream()
                .map(e -> chooser.assess(e.getKey(), e.getValue()))
                .sorted(order)
                .toList();
        Optional<LandmarkChoice> probed = choices.stream()
                .filter(choice -> choice.telling() != Telling.ONCE)
                .filter(choice -> probeable.test(choice.pc()))
                .findFirst();
        return probed.isPresent() ? probed : choices.stream().findFirst();
    }

    private LandmarkChoice assess(long pc, List<Integer> steps) {
        if (steps.size() == 1) {
            return new LandmarkChoice(pc, List.of(), List.of(), 1, Telling.ONCE);
        }
        List<Integer> registers = tellingRegisters(steps);
        List<Long> addresses = changingWords(steps);
        List<Value> tests = new ArrayList<>();
        registers.forEach(register -> tests.add(new Value(true, register)));
        addresses.forEach(address -> tests.add(new Value(false, address)));
        Telling telling;
        if (groups(steps, tests) == steps.size()) {
            telling = Telling.APART;
        } else {
            telling = sameState(steps) ? Telling.SAME_STATE : Telling.PARTLY;
        }
        return new LandmarkChoice(pc, registers, addresses, steps.size(), telling);
    }

    /** Registers that together tell the visits apart as well as registers can. */
    private List<Integer> tellingRegisters(List<Integer> steps) {
        List<Value> tests = new ArrayList<>();
        long reached = 1;
        while (tests.size() < MAX_TESTS && reached < steps.size()) {
            Value best = null;
            for (int encoding = 0; encoding < 16; encoding++) {
                Value candidate = new Value(true, UserRegisters.indexOf(encoding));
                List<Value> with = new ArrayList<>(tests);
                with.add(candidate);
                long groups = groups(steps, with);
                if (groups > reached) {
                    reached = groups;
                    best = candidate;
                }
            }
            if (best == null) {
                break;
            }
            tests.add(best);
        }
        return tests.stream().map(test -> (int) test.name()).toList();
    }

    /**
     * Words that change from visit to visit, those with the most values first. They are wanted even where registers tell
     * the window's visits apart: registers may come round again after more rounds than the window shows.
     */
    private List<Long> changingWords(List<Integer> steps) {
        Map<Long, Long> changing = new HashMap<>();
        for (long address : words.addresses()) {
            Value value = new Value(false, address);
            if (steps.stream().allMatch(step -> valueAt(value, step).isPresent())) {
                long groups = groups(steps, List.of(value));
                if (groups > 1) {
                    changing.put(address, groups);
                }
            }
        }
        Comparator<Map.Entry<Long, Long>> mostValues = Map.Entry.comparingByValue(Comparator.reverseOrder());
        return changing.entrySet().stream()
                .sorted(mostValues.thenComparing(Map.Entry.comparingByKey()))
                .limit(MAX_WORDS)
                .map(Map.Entry::getKey)
                .toList();
    }

    private OptionalLong valueAt(Value value, int step) {
        return value.register()
                ? OptionalLong.of(window.get(step).registers()[(int) value.name()])
                : words.valueAt(value.name(), step);
    }

    /** Into how many classes the values divide the visits. */
    private long groups(List<Integer> steps, List<Value> tests) {
        return steps.stream()
                .map(step -> tests.stream().map(test -> valueAt(test, step)).toList())
                .distinct()
                .count();
    }

    /** Whether registers and all memory were the same at all visits, as far as this can be known for certain. */
    private boolean sameState(List<Integer> steps) {
        int first = steps.getFirst();
        int last = steps.getLast();
        if (!words.storesKnown(first, last)) {
            return false;
        }
        boolean sameRegisters = steps.stream()
                .allMatch(step -> Arrays.equals(
                        window.get(step).registers(), window.get(first).registers()));
        return sameRegisters
                && words.addresses().stream()
                        .filter(address -> words.touched(address, first, last))
                        .allMatch(address -> sameWord(address, steps));
    }

    private boolean sameWord(long address, List<Integer> steps) {
        OptionalLong start = words.valueAt(address, steps.getFirst());
        // A word that the last visit cannot tell may have been written after the one before it.
        return start.isPresent()
                && steps.stream().limit(steps.size() - 1L).allMatch(s -> start.equals(words.valueAt(address, s)));
    }

    /**
     * The landmark for a visit of the chosen pc.
     *
     * @param choice the choice
     * @param registers user_regs_struct at the visit
     * @param memory the task's memory there
     * @param fingerprint as the replayer will compute it; 0 for none
     */
    public static Landmark landmark(
            LandmarkChoice choice, long[] registers, ProbeCondition.Words memory, long fingerprint) {
        if (registers[Reg.RIP] != choice.pc()) {
            throw new IllegalArgumentException("rip is 0x%x, not 0x%x".formatted(registers[Reg.RIP], choice.pc()));
        }
        List<Landmark.Word> values = new ArrayList<>();
        for (long address : choice.words()) {
            memory.at(address).ifPresent(value -> values.add(new Landmark.Word(address, value)));
        }
        return new Landmark(registers.clone(), values, fingerprint);
    }
}
