package dev.eremite.replay.event;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which events of a recording are meant.
 *
 * @param first the first one, from 0 on
 * @param last the last one; {@link Long#MAX_VALUE} for the recording's last
 */
public record EventRange(long first, long last) {
    /** All events. */
    public static final EventRange ALL = new EventRange(0, Long.MAX_VALUE);

    private static final Pattern FORM =
            Pattern.compile("(?<one>\\d{1,18})|(?<first>\\d{1,18})?\\.\\.(?<last>\\d{1,18})?");

    /** Reads {@code A..B}, {@code A..}, {@code ..B} or {@code A}; empty for others. */
    public static Optional<EventRange> parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches() || text.equals("..")) {
            return Optional.empty();
        }
        if (form.group("one") != null) {
            long one = Long.parseLong(text);
            return Optional.of(new EventRange(one, one));
        }
        return Optional.of(new EventRange(
                form.group("first") == null ? 0 : Long.parseLong(form.group("first")),
                form.group("last") == null ? Long.MAX_VALUE : Long.parseLong(form.group("last"))));
    }
}
