package dev.eremite.replay.session;

import dev.eremite.replay.event.Event;
import java.nio.file.Path;

/** What a replay reads from. */
public interface RecordingSource extends AutoCloseable {
    /** How many whole events there are. */
    long size();

    /** The event with that number. Throws LogException when it is damaged. */
    Event event(long number);

    /**
     * Whether an event is a signal, or makes, ends or replaces a process or thread, or may be one of these: who looks for them
     * need not read the others.
     */
    boolean changesTasks(long number);

    /** The number of the system call that an event is, begins or ends; −1 for others. */
    int call(long number);

    /** The file that holds the content with that SHA-256. Throws LogException when it is missing or damaged. */
    Path blob(String sha256);

    /** Closes the log. */
    @Override
    void close();
}
