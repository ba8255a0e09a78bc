package dev.eremite.replay.log;

import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.MemoryWrite;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Events on their way from the thread that records to the thread that writes. Bounded in number, in bytes and in age;
 * where a bound is reached, the recorder waits. So a recorder that is killed loses no more than the last moment, however
 * busy the machine is. Nobody is woken, which would cost the recorder a system call for each event: the writer looks
 * again after a short while.
 */
final class EventRing {
    static final int CAPACITY = 4096;

    /** Data that may be under way, in bytes; a single event may be larger. */
    private static final long MOST_BYTES = 32 << 20;

    /** How long an event may be under way before the recorder waits for it. */
    private static final long OLDEST_NS = 5_000_000;

    private static final long WAIT_NS = 250_000;
    private static final long LONG_WAIT_NS = 1_000_000;
    private static final int SHORT_WAITS = 40;

    private final Event[] ring = new Event[CAPACITY];
    /** When each was put. Only the recorder's thread looks at this. */
    private final long[] times = new long[CAPACITY];

    /** Whether the writer is through with opening its files, which takes much longer than an event. */
    private volatile boolean taking;

    private volatile long put;
    private volatile long taken;
    private volatile long bytesPut;
    private volatile long bytesTaken;

    /** The recorder's side. */
    void put(Event event) {
        long number = put;
        long now = System.nanoTime();
        while (number - taken == CAPACITY || bytesPut - bytesTaken > MOST_BYTES || isLate(number, now)) {
            LockSupport.parkNanos(this, WAIT_NS);
        }
        int slot = (int) (number % CAPACITY);
        ring[slot] = event;
        times[slot] = now;
        // Only this thread writes these two, so that they need no atomic addition.
        bytesPut = bytesPut + bytes(event);
        put = number + 1;
    }

    /** Whether the oldest event under way has waited too long. While the files are being opened it may. */
    private boolean isLate(long number, long now) {
        long oldest = taken;
        return taking && oldest < number && now - times[(int) (oldest % CAPACITY)] > OLDEST_NS;
    }

    /** The recorder's side: waits until the writer takes events. */
    void awaitTaking() {
        while (!taking) {
            LockSupport.parkNanos(this, WAIT_NS);
        }
    }

    /** The writer's side: from now on it takes events as they come. */
    void beginTaking() {
        taking = true;
    }

    /** The writer's side: the next event, or null when there is none now. */
    Event poll() {
        long number = taken;
        if (number == put) {
            return null;
        }
        int slot = (int) (number % CAPACITY);
        Event event = ring[slot];
        ring[slot] = null;
        bytesTaken = bytesTaken + bytes(event);
        taken = number + 1;
        return event;
    }

    /** The writer's side: passes a moment after so many looks in vain. */
    void idle(int looks) {
        LockSupport.parkNanos(this, looks < SHORT_WAITS ? WAIT_NS : LONG_WAIT_NS);
    }

    /** The bulk of an event; tested by class, since a switch over types costs the recorder's start milliseconds. */
    private static long bytes(Event event) {
        if (event instanceof Event.Syscall e) {
            return bytes(e.writes());
        }
        if (event instanceof Event.SyscallExit e) {
            return bytes(e.writes());
        }
        if (event instanceof Event.Signal e && e.frame() != null) {
            return e.frame().bytes().length;
        }
        return 0;
    }

    private static long bytes(List<MemoryWrite> writes) {
        long sum = 0;
        for (int i = 0; i < writes.size(); i++) {
            sum += writes.get(i).bytes().length;
        }
        return sum;
    }
}
