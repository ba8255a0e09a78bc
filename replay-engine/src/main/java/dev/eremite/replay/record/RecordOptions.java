package dev.eremite.replay.record;

import java.util.List;
import java.util.SortedSet;

/**
 * What to record.
 *
 * @param program the executable's path, already looked up
 * @param argv the guest's arguments, argv[0] first, without terminating zero bytes
 * @param environment NAME=VALUE entries, likewise
 * @param directory the guest's working directory
 * @param descriptors the file descriptors of this process that the guest inherits; all others are the engine's own
 * @param timeoutNanos how long the guest may run before it is killed; 0: for ever
 */
public record RecordOptions(
        String program,
        List<byte[]> argv,
        List<byte[]> environment,
        String directory,
        SortedSet<Integer> descriptors,
        long timeoutNanos) {}
