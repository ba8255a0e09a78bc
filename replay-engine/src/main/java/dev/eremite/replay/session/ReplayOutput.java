package dev.eremite.replay.session;

/** Receives what the replayed program wrote to its standard streams. */
@FunctionalInterface
public interface ReplayOutput {
    /** Bytes written to stream 1 (stdout) or 2 (stderr). */
    void write(int stream, byte[] bytes);

    /** The same, with the number of the event that writes, for those that tie output to positions. */
    default void write(int stream, byte[] bytes, long event) {
        write(stream, bytes);
    }
}
