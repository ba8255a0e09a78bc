package dev.eremite.replay.debug;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Positions of a recording, beyond what debuggers' protocols can say. Called from the thread that owns the target. What
 * moves leaves the target at a stop of the kind {@code ATTACHED}, or {@code INTERRUPTED} on the way.
 */
public interface TimeTravel {
    /**
     * Where the target stands.
     *
     * @param event the number of the next event
     * @param events how many there are
     * @param inside whether code has run since the event before
     */
    record Position(long event, long events, boolean inside) {}

    /**
     * An event.
     *
     * @param task the thread id that the program saw
     * @param kind {@code syscall}, {@code instruction}, {@code signal}, {@code preempt} or {@code exit}
     * @param stream 1 or 2 if it wrote to the standard output or error, else 0
     * @param text the event in one line, as {@code monitor events} shows it
     */
    record EventInfo(long event, int task, String kind, int stream, String text) {}

    /**
     * Something that the program prints.
     *
     * @param event the number of the event that prints it
     * @param stream 1 for the standard output, 2 for the standard error
     */
    record Printed(long event, int stream, byte[] bytes) {}

    /**
     * A place that is remembered.
     *
     * @param name empty if it has none
     * @param event the number of the next event there
     */
    record Mark(int number, String name, long event) {}

    /** Where the target stands. */
    Position position();

    /** Goes to the boundary before an event, or the nearest that exists; whether it arrived. */
    boolean seek(long event);

    /** Goes to where an event is about to happen, behind the code that leads to it; whether it arrived. */
    boolean seekArrival(long event);

    /** The event of the signal that kills the debugged process; empty where none does. */
    OptionalLong deadlySignal();

    /** The events of a range, as far as they exist. */
    List<EventInfo> events(long first, long last);

    /** All that the program prints; empty when interrupted. Takes a replay the first time. */
    Optional<List<Printed>> printed();

    /** The event of the last print before here in which a match begins, or else the first one behind. */
    OptionalLong findPrinted(Pattern pattern);

    /** Remembers this place. */
    Mark mark(String name);

    /** The places that are remembered. */
    List<Mark> marks();

    /** Goes to a place that is remembered; whether it arrived. False, without moving, where there is no such number. */
    boolean seekMark(int number);

    /** Forgets a place; whether there was one. */
    boolean forget(int number);
}
