package dev.eremite.replay.store;

import java.nio.file.Path;

/**
 * One line of a list of recordings.
 *
 * @param id its name
 * @param directory its folder
 * @param info its metadata, or null when that cannot be read
 * @param problem why it cannot be read, or null
 */
public record RecordingSummary(String id, Path directory, RecordingInfo info, String problem) {
    /** One word for people: running, complete, cut short, damaged. */
    public String state() {
        if (info == null) {
            return "damaged";
        }
        boolean killed = info.state() == RecordingInfo.State.RUNNING && !info.beingWritten();
        return (killed ? RecordingInfo.State.CUT : info.state()).text();
    }
}
