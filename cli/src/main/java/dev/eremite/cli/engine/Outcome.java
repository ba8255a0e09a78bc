package dev.eremite.cli.engine;

import dev.eremite.replay.record.RecordCosts;

/**
 * How a recording or a replay ended.
 *
 * @param id the recording's full id
 * @param exitStatus the first guest process's exit status, 0…255; 0 if a signal ended it
 * @param signal the signal that ended it, or 0
 * @param timedOut whether it was ended because its time was over
 * @param events how many events were written or replayed
 * @param costs how often guest tasks were stopped while they were recorded, and how long that took; null for a replay
 * @param logBytes size of the log on disk in bytes
 */
public record Outcome(
        String id, int exitStatus, int signal, boolean timedOut, long events, RecordCosts costs, long logBytes) {
    private static final int SIGNALLED = 128;
    private static final int TIMED_OUT = 124;

    /** The status with which the command ends: the guest's, 128+n for a signal, 124 for a time-out. */
    public int status() {
        if (timedOut) {
            return TIMED_OUT;
        }
        return signal == 0 ? exitStatus : SIGNALLED + signal;
    }
}
