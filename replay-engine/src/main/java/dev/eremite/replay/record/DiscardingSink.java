package dev.eremite.replay.record;

import dev.eremite.replay.event.Event;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Keeps nothing of a run: for runs that are only watched. */
public final class DiscardingSink implements RecordingSink {
    private static final String NO_CONTENT = "0".repeat(64);

    private final Consumer<Event> watcher;
    private long events;

    /** A sink that shows each event to {@code watcher}. */
    public DiscardingSink(Consumer<Event> watcher) {
        this.watcher = watcher;
    }

    @Override
    public long append(Event event) {
        watcher.accept(event);
        return events++;
    }

    @Override
    public String file(String guestPath, Path file) {
        return NO_CONTENT;
    }

    @Override
    public void alias(String guestPath, String blob) {
        // Nothing is kept, so nothing needs a name.
    }

    @Override
    public String blob(Path file) {
        return NO_CONTENT;
    }

    @Override
    public String blobRange(Path file, long offset, long length) {
        return NO_CONTENT;
    }

    @Override
    public String blob(byte[] bytes) {
        return NO_CONTENT;
    }

    @Override
    public String noteOf(String name) {
        return null;
    }

    @Override
    public void note(String name, String note) {
        // There is no content that it could be about.
    }
}
