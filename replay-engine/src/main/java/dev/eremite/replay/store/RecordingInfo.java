package dev.eremite.replay.store;

import java.time.Instant;

/**
 * The contents of {@code recording.json}.
 *
 * @param id the recording's name
 * @param created when it began
 * @param state how far it is
 * @param enginePid the process that recorded it
 * @param engineStartMs when that process began, in milliseconds since 1970; 0 where it is not known
 * @param start what was known at the start
 * @param status the guest's exit status as a shell shows it: 128 + n for signal n; −1 until it is known
 * @param signal the signal that killed the guest, or 0
 * @param events the number of events; −1 until it is known
 * @param durationMs how long recording took, in milliseconds; −1 until it is known
 * @param bytes the size of the recording's own files, without blobs; −1 until it is known
 * @param files the number of entries in the file table; −1 until it is known
 */
public record RecordingInfo(
        String id,
        Instant created,
        State state,
        long enginePid,
        long engineStartMs,
        RecordingStart start,
        int status,
        int signal,
        long events,
        long durationMs,
        long bytes,
        int files) {
    /** How far a recording is. */
    public enum State {
        /** It is being written, or its engine was killed. */
        RUNNING("running"),
        /** The guest ended, and all of it is there. */
        COMPLETE("complete"),
        /** The engine gave up before the guest's end. */
        CUT("cut short");

        private final String text;

        State(String text) {
            this.text = text;
        }

        /** The word that is stored and shown. */
        public String text() {
            return text;
        }

        static State of(String text) {
            for (State state : values()) {
                if (state.text.equals(text)) {
                    return state;
                }
            }
            throw new IllegalArgumentException("no state is called " + text);
        }
    }

    /** Whether the process that writes this recording is still there. */
    public boolean beingWritten() {
        return state == State.RUNNING
                && ProcessHandle.of(enginePid)
                        .filter(process -> engineStartMs == 0
                                || process.info()
                                        .startInstant()
                                        .map(start -> start.toEpochMilli() == engineStartMs)
                                        .orElse(true))
                        .isPresent();
    }

    RecordingInfo ended(
            State end, int exitStatus, int deadlySignal, long eventCount, long tookMs, long size, int paths) {
        return new RecordingInfo(
                id,
                created,
                end,
                enginePid,
                engineStartMs,
                start,
                exitStatus,
                deadlySignal,
                eventCount,
                tookMs,
                size,
                paths);
    }
}
