package dev.eremite.cli.engine;

import dev.eremite.detcore.UsageException;
import dev.eremite.replay.debug.DebugTarget;
import dev.eremite.replay.session.ReplayOutput;
import dev.eremite.replay.store.Recording;

/** What the commands need of the engine. Every method throws {@link UsageException} for failures of Eremite's own. */
public interface Engine {
    /** Runs a program and records it; the guest has this process's standard streams. Returns when it has ended. */
    Outcome record(RecordRequest request);

    /** Replays a recording from its start to its end and prints what the guest printed. */
    Outcome replay(Recording recording, ReplayOptions options);

    /**
     * Replays a recording up to an event, and that event, and ends.
     *
     * @param last the event's number, which the recording has
     * @return the event, and where its task stands then, in one line
     */
    String replayUntil(Recording recording, long last, ReplayOptions options);

    /** Opens a recording for a debugger, at its first instruction. The calling thread alone may use the result. */
    DebugTarget debug(Recording recording, DebugOptions options);

    /** The same; the output takes what the guest prints. */
    DebugTarget debug(Recording recording, DebugOptions options, ReplayOutput output);

    /** Runs a program without recording it and prints its system calls to stderr. */
    Outcome strace(GuestProgram program);
}
