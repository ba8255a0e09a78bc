package dev.eremite.cli.command;

import dev.eremite.replay.event.EventRange;
import dev.eremite.replay.log.EventLog;
import dev.eremite.replay.store.Recording;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Arguments that name events of a recording. What is wrong with them is a ParameterException. */
final class EventArguments {
    private EventArguments() {}

    /** The range of {@code --events}; null means all. */
    static EventRange range(CommandLine command, String text) {
        if (text == null) {
            return EventRange.ALL;
        }
        EventRange range = EventRange.parse(text)
                .orElseThrow(() ->
                        new ParameterException(command, "--events needs A..B, A.., ..B or A, not \"" + text + "\""));
        if (range.last() < range.first()) {
            throw new ParameterException(command, "--events " + text + ": the last event comes before the first");
        }
        return range;
    }

    /** The same in a recording of that many events, which must have the first of them. */
    static EventRange within(CommandLine command, EventRange range, long events) {
        check(command, range.first(), events);
        return new EventRange(range.first(), Math.min(range.last(), events - 1));
    }

    /**
     * Checks that a recording has an event.
     *
     * @return how many it has
     */
    static long check(CommandLine command, long number, Recording recording) {
        try (EventLog.Reader log = recording.openLog()) {
            check(command, number, log.size());
            return log.size();
        }
    }

    private static void check(CommandLine command, long number, long events) {
        if (number < 0 || number >= events) {
            throw new ParameterException(
                    command, "there is no event " + number + ": the recording has events 0 to " + (events - 1));
        }
    }
}
