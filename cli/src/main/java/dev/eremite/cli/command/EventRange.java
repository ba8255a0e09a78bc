package dev.eremite.cli.command;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * Which events of a recording are meant.
 *
 * @param first the first one, from 0 on
 * @param last the last one; {@link Long#MAX_VALUE} for the recording's last
 */
record EventRange(long first, long last) {
    private static final Pattern FORM =
            Pattern.compile("(?<one>\\d{1,18})|(?<first>\\d{1,18})?\\.\\.(?<last>\\d{1,18})?");

    /** Reads {@code A..B}, {@code A..}, {@code ..B} or {@code A}; null means all. Throws ParameterException for others. */
    static EventRange parse(CommandLine command, String text) {
        if (text == null) {
            return new EventRange(0, Long.MAX_VALUE);
        }
        Matcher form = FORM.matcher(text);
        if (!form.matches() || text.equals("..")) {
            throw new ParameterException(command, "--events needs A..B, A.., ..B or A, not \"" + text + "\"");
        }
        if (form.group("one") != null) {
            long one = Long.parseLong(text);
            return new EventRange(one, one);
        }
        long first = form.group("first") == null ? 0 : Long.parseLong(form.group("first"));
        long last = form.group("last") == null ? Long.MAX_VALUE : Long.parseLong(form.group("last"));
        if (last < first) {
            throw new ParameterException(command, "--events " + text + ": the last event comes before the first");
        }
        return new EventRange(first, last);
    }

    /** The same in a recording of that many events. Throws ParameterException when it has none of them. */
    EventRange within(CommandLine command, long events) {
        if (first >= events) {
            throw missing(command, first, events);
        }
        return new EventRange(first, Math.min(last, events - 1));
    }

    /** The failure that the recording has no such event. */
    static ParameterException missing(CommandLine command, long number, long events) {
        return new ParameterException(
                command, "there is no event " + number + ": the recording has events 0 to " + (events - 1));
    }
}
