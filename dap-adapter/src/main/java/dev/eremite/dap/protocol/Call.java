package dev.eremite.dap.protocol;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A request that has come and is not answered yet. */
public final class Call {
    private static final int WRITE_TIMEOUT_S = 10;

    private final int sequence;
    private final RequestTable.Lane lane;
    private final CompletableFuture<Object> answer = new CompletableFuture<>();
    private final CountDownLatch written = new CountDownLatch(1);
    private Runnable afterwards = () -> {};
    private volatile boolean cancelled;

    Call(int sequence, RequestTable.Lane lane) {
        this.sequence = sequence;
        this.lane = lane;
    }

    RequestTable.Lane lane() {
        return lane;
    }

    /** The request's number, which {@code cancel} names. */
    public int sequence() {
        return sequence;
    }

    /** Sets what is to be done as soon as the response has been written: events that must come after it. */
    public void afterwards(Runnable action) {
        afterwards = action;
    }

    /** Whether the client does not want the answer any more. */
    public boolean cancelled() {
        return cancelled;
    }

    void cancel() {
        cancelled = true;
    }

    CompletableFuture<Object> answer() {
        return answer;
    }

    void written() {
        written.countDown();
    }

    /** Waits until the response is on its way, or the client is gone; whether that has been so in time. */
    boolean awaitWritten() throws InterruptedException {
        return written.await(WRITE_TIMEOUT_S, TimeUnit.SECONDS);
    }

    void runAfterwards() {
        afterwards.run();
    }
}
