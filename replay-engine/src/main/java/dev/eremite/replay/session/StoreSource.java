package dev.eremite.replay.session;

import dev.eremite.replay.event.Event;
import dev.eremite.replay.log.EventLog;
import dev.eremite.replay.store.Recording;
import java.nio.file.Path;

/** Reads a recording on disk. */
public final class StoreSource implements RecordingSource {
    private final Recording recording;
    private final EventLog.Reader log;

    /** Opens the recording's log. Throws LogException when it is damaged. */
    public StoreSource(Recording recording) {
        this.recording = recording;
        log = recording.openLog();
    }

    @Override
    public long size() {
        return log.size();
    }

    /** Whether the recording ended in order. */
    public boolean complete() {
        return log.complete();
    }

    @Override
    public Event event(long number) {
        return log.read(number);
    }

    @Override
    public boolean changesTasks(long number) {
        return log.changesTasks(number);
    }

    @Override
    public int call(long number) {
        return log.call(number);
    }

    @Override
    public Path blob(String sha256) {
        return recording.blob(sha256);
    }

    @Override
    public void close() {
        log.close();
    }
}
