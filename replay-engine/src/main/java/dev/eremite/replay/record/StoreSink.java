package dev.eremite.replay.record;

import dev.eremite.replay.event.Event;
import dev.eremite.replay.store.RecordingBuilder;
import java.nio.file.Path;

/** Puts what a recorder sees into a recording on disk. */
public final class StoreSink implements RecordingSink {
    private final RecordingBuilder recording;

    /** A sink that fills the recording; it neither finishes nor closes it. */
    public StoreSink(RecordingBuilder recording) {
        this.recording = recording;
    }

    @Override
    public long append(Event event) {
        return recording.log().append(event);
    }

    @Override
    public String file(String guestPath, Path file) {
        return recording.file(guestPath, file);
    }

    @Override
    public void alias(String guestPath, String blob) {
        recording.file(guestPath, blob);
    }

    @Override
    public String blob(Path file) {
        return recording.blobs().put(file);
    }

    @Override
    public String blobRange(Path file, long offset, long length) {
        return recording.blobs().putRange(file, offset, length);
    }

    @Override
    public String blob(byte[] bytes) {
        return recording.blobs().put(bytes);
    }

    @Override
    public String noteOf(String name) {
        return recording.notes().find(name);
    }

    @Override
    public void note(String name, String note) {
        recording.notes().put(name, note);
    }
}
