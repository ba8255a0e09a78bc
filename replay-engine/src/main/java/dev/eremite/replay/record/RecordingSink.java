package dev.eremite.replay.record;

import dev.eremite.replay.event.Event;
import java.nio.file.Path;

/** Where a recorder puts what it sees. */
public interface RecordingSink {
    /** Appends an event; returns its number. */
    long append(Event event);

    /** Stores the content of a file that the guest knows by that path; returns its SHA-256 in hexadecimal. */
    String file(String guestPath, Path file);

    /** Notes another path under which the guest knows the file with that content. */
    void alias(String guestPath, String blob);

    /** Stores a file's present content; returns its SHA-256 in hexadecimal. */
    String blob(Path file);

    /** Stores part of a file. */
    String blobRange(Path file, long offset, long length);

    /** Stores bytes. */
    String blob(byte[] bytes);

    /** What was found out about a content before, by a name that contains its hash; null when that is not known. */
    String noteOf(String name);

    /** Notes what was found out about a content, for later recordings. */
    void note(String name, String note);
}
