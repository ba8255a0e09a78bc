package dev.eremite.cli.engine;

/**
 * What a debugger is shown first.
 *
 * @param process the id of the process to show; 0 for the first one
 * @param event the event to go to; negative for the process's first instruction
 */
public record DebugOptions(int process, long event) {
    /** The first process, at its first instruction. */
    public static final DebugOptions FIRST = new DebugOptions(0, -1);
}
