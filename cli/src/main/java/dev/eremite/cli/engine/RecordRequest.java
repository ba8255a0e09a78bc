package dev.eremite.cli.engine;

import dev.eremite.replay.store.DataDirectory;
import java.time.Duration;

/**
 * What to record and how.
 *
 * @param dataDirectory where recordings lie
 * @param timeout end the guest and the recording after this, or null for never
 */
public record RecordRequest(GuestProgram program, DataDirectory dataDirectory, Duration timeout) {}
