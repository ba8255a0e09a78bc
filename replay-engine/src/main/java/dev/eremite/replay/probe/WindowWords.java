package dev.eremite.replay.probe;

import dev.eremite.tracer.x86.MemoryReferences;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The values of memory words at every step of a window, worked out from what each step was about to touch: a word keeps
 * its value until a step writes it, and each step that touches it shows its value first.
 */
final class WindowWords {
    /** A step that shows a word, in order. */
    private record Sight(int step, long value, boolean written) {}

    private final Map<Long, List<Sight>> sights = new HashMap<>();
    private final List<Integer> unknownStores = new ArrayList<>();

    WindowWords(List<Observation> window) {
        for (int step = 0; step < window.size(); step++) {
            Observation observation = window.get(step);
            if (!observation.references().storesKnown()) {
                unknownStores.add(step);
            }
            for (Map.Entry<Long, Long> word : observation.words().entrySet()) {
                boolean written = isWritten(word.getKey(), observation.references());
                sights.computeIfAbsent(word.getKey(), a -> new ArrayList<>())
                        .add(new Sight(step, word.getValue(), written));
            }
        }
    }

    private static boolean isWritten(long word, MemoryReferences references) {
        return references.references().stream()
                .anyMatch(r -> r.stores() && r.address() < word + Long.BYTES && r.address() + r.width() > word);
    }

    Set<Long> addresses() {
        return sights.keySet();
    }

    /** Whether no step of the range may have written memory that is not known. */
    boolean storesKnown(int from, int to) {
        return unknownStores.stream().noneMatch(step -> step >= from && step < to);
    }

    /** Whether a step of the range touches a word. */
    boolean touched(long address, int from, int to) {
        return sights.getOrDefault(address, List.of()).stream()
                .anyMatch(sight -> sight.step() >= from && sight.step() < to);
    }

    /** The value of a word before a step, where the window tells. */
    OptionalLong valueAt(long address, int step) {
        Sight before = null;
        for (Sight sight : sights.getOrDefault(address, List.of())) {
            if (sight.step() >= step) {
                return storesKnown(step, sight.step()) ? OptionalLong.of(sight.value()) : OptionalLong.empty();
            }
            before = sight;
        }
        boolean kept = before != null && !before.written() && storesKnown(before.step(), step);
        return kept ? OptionalLong.of(before.value()) : OptionalLong.empty();
    }
}
