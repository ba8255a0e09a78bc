package dev.eremite.cli.engine;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What to record and how.
 *
 * @param dataDirectory where recordings lie
 * @param timeout end the guest and the recording after this, or null for never
 */
public record RecordRequest(GuestProgram program, Path dataDirectory, Duration timeout) {}
