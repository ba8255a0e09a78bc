package dev.eremite.replay.probe;

/** What came of the wish to put a probe somewhere. */
public sealed interface ProbePlan permits Probe, ProbePlan.Refused {
    /**
     * No probe can be put there; use an execution breakpoint.
     *
     * @param reason why, for people
     */
    record Refused(String reason) implements ProbePlan {}
}
