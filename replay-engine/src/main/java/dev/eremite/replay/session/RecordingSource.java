package dev.eremite.replay.session;

import dev.eremite.replay.event.Event;
import java.nio.file.Path;

/** What a replay reads from. */
public interface RecordingSource extends AutoCloseable {
    /** How many whole events there are. */
    long size();

    /** The event with that number. Throws LogException when it is damaged. */
    Event event(long number);

    /** The file that holds the content with that SHA-256. Throws LogException when it is missing or damaged. */
    Path blob(String sha256);

    /** Closes the log. */
    @Override
    void close();
}
