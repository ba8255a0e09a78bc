package dev.eremite.dap;

import dev.eremite.replay.debug.DebugTarget;
import java.util.List;
import java.util.Map;

/** What the adapter needs of the program that it is part of. */
public interface Backend {
    /** Takes what a recorded program prints. Called on the target's thread. */
    @FunctionalInterface
    interface OutputListener {
        /**
         * Takes a write.
         *
         * @param stream 1 for the standard output, 2 for the standard error
         * @param event the number of the event that writes; negative for code that runs off the recording
         */
        void printed(int stream, byte[] bytes, long event);
    }

    /**
     * A recording that is open.
     *
     * @param complete whether it ended in order
     */
    record Opened(DebugTarget target, String id, boolean complete) {}

    /**
     * A program to record.
     *
     * @param arguments without the program itself
     * @param environment what differs from the adapter's own; a null value takes a variable out
     * @param folder its working directory; empty for the adapter's own
     */
    record Program(String path, List<String> arguments, Map<String, String> environment, String folder) {}

    /**
     * Opens a recording at the first instruction of a process. The calling thread alone may use the target.
     *
     * @param recording an id, the beginning of one, a path, or {@code latest}
     * @param process the process to show; 0 for the first
     * @throws dev.eremite.detcore.UsageException if it cannot be opened
     */
    Opened open(String recording, int process, OutputListener output);

    /**
     * The command that records a program. It prints what the program prints, and its own words to stderr; the recording's
     * id goes into the file.
     */
    ProcessBuilder recorder(Program program, java.nio.file.Path report);

    /** The id in a file that {@link #recorder} wrote; empty where nothing was recorded. */
    String recorded(java.nio.file.Path report);

    /** Gives GDB the environment that the user has. */
    void restoreEnvironment(Map<String, String> environment);
}
