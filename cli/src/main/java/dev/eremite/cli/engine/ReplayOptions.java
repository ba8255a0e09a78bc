package dev.eremite.cli.engine;

/**
 * How to replay without a debugger.
 *
 * @param silent whether to print nothing of the guest's output, only to check it
 * @param progress whether to show on stderr, which is a terminal, how far a long replay is
 * @param outputSeen whether stdout is a terminal, so that the guest's lines and the progress share it
 */
public record ReplayOptions(boolean silent, boolean progress, boolean outputSeen) {}
