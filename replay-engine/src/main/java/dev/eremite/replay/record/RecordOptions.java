package dev.eremite.replay.record;

import java.util.List;

/**
 * What to record.
 *
 * @param program the executable's path, already looked up
 * @param argv the guest's arguments, argv[0] first
 * @param environment NAME=VALUE entries
 * @param directory the guest's working directory
 * @param timeoutNanos how long the guest may run before it is killed; 0: for ever
 */
public record RecordOptions(
        String program, List<String> argv, List<String> environment, String directory, long timeoutNanos) {}
