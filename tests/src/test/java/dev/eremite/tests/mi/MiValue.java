package dev.eremite.tests.mi;

import java.util.List;
import java.util.Map;

/** A value in GDB/MI output: a constant, a tuple, or a list (of values, or of results whose names are dropped). */
public sealed interface MiValue {
    /** A C string. */
    record Text(String text) implements MiValue {}

    /** Named values. */
    record Tuple(Map<String, MiValue> fields) implements MiValue {}

    /** Values in order. */
    record Items(List<MiValue> values) implements MiValue {}

    /**
     * The value that a path leads to, such as {@code frame.line} or {@code stack.0.func}; null when there is none.
     */
    default MiValue at(String path) {
        MiValue value = this;
        for (String step : path.split("\\.", -1)) {
            value = switch (value) {
                case null -> null;
                case Text _ -> null;
                case Tuple tuple -> tuple.fields().get(step);
                case Items items -> {
                    int index = Integer.parseInt(step);
                    yield index < items.values().size() ? items.values().get(index) : null;
                }
            };
        }
        return value;
    }

    /** The text at a path; empty when there is none. */
    default String text(String path) {
        return at(path) instanceof Text(String text) ? text : "";
    }

    /** The values of the list at a path; empty when there is none. */
    default List<MiValue> list(String path) {
        return at(path) instanceof Items(List<MiValue> values) ? values : List.of();
    }
}
