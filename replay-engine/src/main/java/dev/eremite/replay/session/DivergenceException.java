package dev.eremite.replay.session;

import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;

/** The replayed program did something else than the recorded one. */
public final class DivergenceException extends UsageException {
    private static final long serialVersionUID = 1;
    private final long event;

    /**
     * A divergence.
     *
     * @param event the number of the event that did not come as recorded
     * @param expected what the recording holds
     * @param actual what happened
     */
    public DivergenceException(long event, String expected, String actual) {
        super(ErrorCode.DIVERGENCE, "divergence at event " + event + ": expected " + expected + ", but got " + actual);
        this.event = event;
    }

    /** The event's number. */
    public long event() {
        return event;
    }
}
