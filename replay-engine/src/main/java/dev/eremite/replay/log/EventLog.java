package dev.eremite.replay.log;

import dev.eremite.replay.event.Event;

/** The numbered events of one recording. Event numbers start at 0 and have no gaps. */
public interface EventLog {
    /** The writing side, used by one thread. */
    interface Writer extends AutoCloseable {
        /**
         * Appends an event and returns its number. The event and its arrays must not be changed afterwards. Throws
         * LogException when this or an earlier event could not be written, as on a full disk.
         */
        long append(Event event);

        /** How many events can be read from the log. Only valid when it has been closed or abandoned. */
        long written();

        /** Closes without an end mark, so that the recording shows as cut short after the last event. */
        void abandon();

        /** Marks the recording as ended in order, cuts the file's sparse tail and closes it. */
        @Override
        void close();
    }

    /** The reading side, used by one thread. */
    interface Reader extends AutoCloseable {
        /** The number of whole events. */
        long size();

        /** Whether the writer ended in order; false for a recording that was cut short. */
        boolean complete();

        /** The event with that number, 0 ≤ number &lt; size(). Throws LogException when it is damaged. */
        Event read(long number);

        /**
         * Whether an event is a signal, or makes, ends or replaces a process or thread, or may be one of these. Much faster
         * than to read it, and no check of whether it is damaged.
         */
        boolean changesTasks(long number);

        /** The number of the system call that an event is, begins or ends; −1 for others. As fast, and as trusting. */
        int call(long number);

        @Override
        void close();
    }
}
