package dev.eremite.replay.log;

import dev.eremite.replay.event.Event;
import java.nio.file.Path;

/**
 * Hands events to a thread that opens the queue, encodes, compresses and writes. So the recorder waits neither for
 * Chronicle's start, which takes as long as a small program's whole run, nor for compression. What is under way is lost
 * when the engine is killed: the events of the last few milliseconds, and the recording is cut short that much earlier.
 * What somebody has seen should not be lost: from the first output on, the queue is open.
 */
final class ChronicleLogWriter implements EventLog.Writer {
    private enum Ending {
        NONE,
        IN_ORDER,
        ABANDONED
    }

    private final Path directory;
    private final EventRing ring = new EventRing();
    private final Thread thread;
    private volatile LogException failure;
    private volatile Ending ending = Ending.NONE;
    private long next;
    /** Set by the log's thread, and seen by others when it has ended. */
    private long written;

    ChronicleLogWriter(Path directory) {
        this.directory = directory;
        thread = Thread.ofPlatform().daemon().name("event-log").start(this::run);
    }

    private void run() {
        QueueFileWriter file = null;
        try {
            file = new QueueFileWriter(directory);
            ring.beginTaking();
            write(file);
            if (ending == Ending.IN_ORDER) {
                file.end();
            }
        } catch (Throwable e) {
            fail(e);
        }
        if (file != null) {
            written = file.events();
            try {
                file.close();
            } catch (RuntimeException | InternalError e) {
                fail(e);
            }
        }
        // The recorder must not wait for a full ring; its next append throws.
        ring.beginTaking();
        for (int looks = 0; ending == Ending.NONE; ) {
            looks = ring.poll() == null ? looks + 1 : 0;
            if (looks > 0) {
                ring.idle(looks);
            }
        }
    }

    private void write(QueueFileWriter file) {
        int looks = 0;
        while (true) {
            // Read before the ring: an ending is set after the last event was put.
            boolean last = ending != Ending.NONE;
            Event event = ring.poll();
            if (event != null) {
                file.append(event);
                looks = 0;
            } else if (last) {
                return;
            } else {
                ring.idle(looks++);
            }
        }
    }

    private void fail(Throwable cause) {
        if (failure == null) {
            failure = cause instanceof LogException known
                    ? known
                    : LogException.ofIo("cannot write the event log in " + directory, cause);
        }
    }

    @Override
    public long append(Event event) {
        if (failure != null) {
            throw failure;
        }
        if (ending != Ending.NONE) {
            throw new IllegalStateException("the event log is closed");
        }
        ring.put(event);
        if (isOutput(event)) {
            ring.awaitTaking();
        }
        return next++;
    }

    /** Whether the event wrote to the recording's own stdout or stderr. */
    private static boolean isOutput(Event event) {
        if (event instanceof Event.Syscall call) {
            return call.stream() != 0;
        }
        return event instanceof Event.SyscallExit exit && exit.stream() != 0;
    }

    @Override
    public long written() {
        return written;
    }

    @Override
    public void close() {
        if (ending == Ending.NONE) {
            finish(Ending.IN_ORDER);
            if (failure != null) {
                throw failure;
            }
        }
    }

    @Override
    public void abandon() {
        if (ending == Ending.NONE) {
            finish(Ending.ABANDONED);
        }
    }

    private void finish(Ending how) {
        ending = how;
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
