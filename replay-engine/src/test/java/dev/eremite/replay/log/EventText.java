package dev.eremite.replay.log;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;

/** All fields of a record as text, arrays by their contents. */
public final class EventText {
    private EventText() {}

    /** The text of that value. */
    public static String of(Object value) {
        return switch (value) {
            case null -> "null";
            case byte[] bytes -> bytes.length + ":" + Arrays.hashCode(bytes);
            case long[] words -> Arrays.toString(words);
            case List<?> list -> list.stream().map(EventText::of).toList().toString();
            case Record r -> {
                StringBuilder text = new StringBuilder(r.getClass().getSimpleName()).append('(');
                try {
                    for (RecordComponent component : r.getClass().getRecordComponents()) {
                        text.append(component.getName())
                                .append('=')
                                .append(of(component.getAccessor().invoke(r)))
                                .append(' ');
                    }
                } catch (ReflectiveOperationException e) {
                    throw new AssertionError(e);
                }
                yield text.append(')').toString();
            }
            default -> value.toString();
        };
    }
}
