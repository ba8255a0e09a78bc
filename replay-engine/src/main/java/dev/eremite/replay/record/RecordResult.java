package dev.eremite.replay.record;

/**
 * How a recorded run ended.
 *
 * @param status the first process's wait status as in wait(2)
 * @param events events written
 * @param costs how many stops of guest tasks that took, and how long
 * @param timedOut whether the time limit ended it
 */
public record RecordResult(int status, long events, RecordCosts costs, boolean timedOut) {
    /** The status as a shell reports it: the exit code, or 128 + the signal. */
    public int shellStatus() {
        int signal = status & 0x7f;
        return signal != 0 ? 128 + signal : (status >> 8) & 0xff;
    }
}
