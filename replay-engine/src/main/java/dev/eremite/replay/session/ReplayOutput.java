package dev.eremite.replay.session;

/** Receives what the replayed program wrote to its standard streams. */
@FunctionalInterface
public interface ReplayOutput {
    /** Bytes written to stream 1 (stdout) or 2 (stderr). */
    void write(int stream, byte[] bytes);
}
