package dev.eremite.cli.engine;

import dev.eremite.replay.session.ReplayOutput;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Shows in a line of the terminal how far a replay is, when it takes long. The line is gone before the guest's output
 * comes, and while a line of that has no end yet, so that the two do not mix.
 */
final class ReplayProgress implements ReplayOutput, AutoCloseable {
    private static final long FIRST_MS = 1000;
    private static final long INTERVAL_MS = 500;
    private static final byte[] ERASE = "\r\033[K".getBytes(StandardCharsets.US_ASCII);
    private static final int STDOUT = 1;
    private static final int PERCENT = 100;

    private final ReplayOptions options;
    private final long events;
    private final ReplayOutput output;
    private final OutputStream terminal = new FileOutputStream(FileDescriptor.err);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Object line = new Object();
    private volatile long reached;
    private boolean shown;
    private boolean midLine;

    /** Shows nothing unless the options ask for it; a replay of that many events, whose output goes on to {@code output}. */
    ReplayProgress(ReplayOptions options, long events, ReplayOutput output) {
        this.options = options;
        this.events = events;
        this.output = output;
        if (options.progress()) {
            Thread.ofPlatform().daemon().name("progress").start(this::show);
        }
    }

    /** The replay is at that event. */
    void reached(long event) {
        reached = event;
    }

    private void show() {
        try {
            for (long wait = FIRST_MS; !ended.await(wait, TimeUnit.MILLISECONDS); wait = INTERVAL_MS) {
                synchronized (line) {
                    if (!midLine && ended.getCount() > 0) {
                        print("\r\033[Keremite: replayed %,d of %,d events (%d %%)"
                                .formatted(reached, events, reached * PERCENT / Math.max(1, events))
                                .getBytes(StandardCharsets.UTF_8));
                        shown = true;
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void write(int stream, byte[] bytes) {
        if (!options.progress()) {
            output.write(stream, bytes);
            return;
        }
        synchronized (line) {
            erase();
            output.write(stream, bytes);
            if (bytes.length > 0 && (stream != STDOUT || options.outputSeen())) {
                midLine = bytes[bytes.length - 1] != '\n';
            }
        }
    }

    private void erase() {
        if (shown) {
            print(ERASE);
            shown = false;
        }
    }

    private void print(byte[] text) {
        try {
            terminal.write(text);
        } catch (IOException e) {
            // A terminal that is gone shows no progress.
            ended.countDown();
        }
    }

    @Override
    public void close() {
        synchronized (line) {
            ended.countDown();
            erase();
        }
    }
}
