package dev.eremite.dap.mi;

import java.util.List;
import java.util.Map;

/** A value in GDB/MI output: a constant, a tuple, or a list (of values, or of results whose names are dropped). */
public sealed interface MiValue {
    /** A tuple without fields. */
    MiValue NONE = new Tuple(Map.of());

    /** A C string. */
    record Text(String text) implements MiValue {}

    /** Named values. */
    record Tuple(Map<String, MiValue> fields) implements MiValue {}

    /** Values in order. */
    record Items(List<MiValue> values) implements MiValue {}

    /** The value of a name; an empty tuple where there is none. */
    default MiValue at(String name) {
        return this instanceof Tuple(Map<String, MiValue> fields) ? fields.getOrDefault(name, NONE) : NONE;
    }

    /** Whether there is a value of that name. */
    default boolean has(String name) {
        return this instanceof Tuple(Map<String, MiValue> fields) && fields.containsKey(name);
    }

    /** The text of a name; empty when there is none. */
    default String text(String name) {
        return at(name) instanceof Text(String text) ? text : "";
    }

    /** The whole number of a name, decimal or hexadecimal after 0x; another number when there is none. */
    default long number(String name, long absent) {
        String text = text(name);
        try {
            return text.startsWith("0x") ? Long.parseUnsignedLong(text.substring(2), 16) : Long.parseLong(text);
        } catch (NumberFormatException e) {
            return absent;
        }
    }

    /** The values of the list of a name; empty when there is none. */
    default List<MiValue> list(String name) {
        return at(name) instanceof Items(List<MiValue> values) ? values : List.of();
    }
}
