package dev.eremite.cli.engine;

import dev.eremite.detcore.UsageException;
import java.nio.file.Path;

/** What the commands need of the engine. Every method throws {@link UsageException} for failures of Eremite's own. */
public interface Engine {
    /** Runs a program and records it; the guest has this process's standard streams. Returns when it has ended. */
    Outcome record(RecordRequest request);

    /**
     * Replays a recording from its start to its end and prints what the guest printed.
     *
     * @param id an id, the beginning of one, or {@code latest}
     * @param silent whether to print nothing of the guest's output, only to check it
     */
    Outcome replay(Path dataDirectory, String id, boolean silent);

    /** Runs a program without recording it and prints its system calls to stderr. */
    Outcome strace(GuestProgram program);
}
