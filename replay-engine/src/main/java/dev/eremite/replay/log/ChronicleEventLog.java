package dev.eremite.replay.log;

import java.nio.file.Path;

/**
 * The event log in a folder: one file of a Chronicle queue, and a side file for bulk data. The format is described in
 * {@code docs/recording-format.md}.
 */
public final class ChronicleEventLog {
    /** The queue's only file: with a clock that stands still it never rolls to another one. */
    static final String QUEUE_FILE = "19700101H.cq4";

    private ChronicleEventLog() {}

    /**
     * Begins a new log. Returns at once: another thread opens the queue and writes, so that appended events reach the
     * file a moment later. Their arrays must not be changed after they were appended.
     *
     * @param directory a folder that does not exist or is empty
     * @return the writer; a failure to open or write shows in a later append or in close
     */
    public static EventLog.Writer create(Path directory) {
        return new ChronicleLogWriter(directory);
    }

    /**
     * Opens a log for reading, whole or cut short, also while it is still being written.
     *
     * @param directory the folder
     * @return a reader of the events that are whole at this time
     * @throws LogException when it is missing, empty, damaged or of another version
     */
    public static EventLog.Reader open(Path directory) {
        return new QueueFileReader(directory);
    }
}
