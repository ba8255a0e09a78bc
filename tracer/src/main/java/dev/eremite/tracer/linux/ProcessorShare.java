package dev.eremite.tracer.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Keeps the tracer's thread and its tasks together on one processor: they take turns, and a turn that stays on its
 * processor need not wake another one. The kernel cannot balance what is bound; so this thread looks from time to time
 * whether others want that processor while another one is idle, and moves all to it.
 */
final class ProcessorShare {
    private static final long INTERVAL_NANOS = 60_000_000;

    /** So that those who were crowded on one processor do not move to the same next one. */
    private static final int JITTER_NANOS = 60_000_000;

    /** The part of an interval that the running task, or the tracer, had to wait for the processor: one in this many. */
    private static final int CROWDED = 4;

    /** The part of an interval for which a better processor was idle: one in this many. */
    private static final int IDLE = 2;

    /** A task that is born while the others move has its parent's old processor until one of so many looks. */
    private static final int SETTLING_LOOKS = 3;

    private static final Path PROCESSORS = Path.of("/proc/stat");
    private static final long NANOS_PER_TICK = 10_000_000;

    private final int tracer;
    private final IntSupplier running;
    private final Supplier<Collection<Integer>> tasks;
    private final byte[] allowed;
    private final Thread thread;
    private final Map<Integer, Long> waited = new HashMap<>();
    private final Map<Integer, Long> idle = new HashMap<>();
    private int processor;
    private boolean movable = true;
    private int unsettled;
    private volatile boolean closed;

    /**
     * Binds the tracer's thread, from which its tasks inherit, to the processor that it is on.
     *
     * @param tracer the tracer thread's id
     * @param running tells the task that ran last
     * @param tasks all tasks; called from another thread
     */
    ProcessorShare(int tracer, IntSupplier running, Supplier<Collection<Integer>> tasks) {
        this.tracer = tracer;
        this.running = running;
        this.tasks = tasks;
        allowed = Affinity.of(tracer);
        processor = Affinity.current();
        // Before this thread is bound, which the other would inherit.
        thread = BitSet.valueOf(allowed).cardinality() > 1
                ? Thread.ofPlatform().daemon().name("eremite-share").start(this::run)
                : null;
        bindAll();
    }

    /** The processors that the tracer's thread was allowed to use, as a mask (sched_getaffinity(2)). */
    byte[] allowed() {
        return allowed.clone();
    }

    /** From now on all stay on the processor where they are; returns its number. */
    synchronized int stay() {
        movable = false;
        unsettled = SETTLING_LOOKS;
        bindAll();
        return processor;
    }

    /** From now on all stay on that processor; where it is not to be had, on the one where they are. */
    synchronized void stayOn(int number) {
        movable = false;
        if (BitSet.valueOf(allowed).get(number)) {
            processor = number;
        }
        unsettled = SETTLING_LOOKS;
        bindAll();
    }

    /** Ends the watch; the tracer's thread may use any processor again. */
    void close() {
        closed = true;
        if (thread != null) {
            LockSupport.unpark(thread);
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        Affinity.set(tracer, allowed);
    }

    private void run() {
        Random random = new Random(tracer);
        boolean suspicious = false;
        long last = System.nanoTime();
        while (!closed) {
            LockSupport.parkNanos(INTERVAL_NANOS + random.nextInt(JITTER_NANOS));
            long now = System.nanoTime();
            if (!closed) {
                suspicious = look(now - last, suspicious);
            }
            last = now;
        }
    }

    /** Looks once; moves when it was crowded now and the time before. */
    private synchronized boolean look(long interval, boolean suspicious) {
        if (unsettled > 0) {
            unsettled--;
            bindAll();
        }
        if (!movable) {
            return false;
        }
        if (!isCrowded(interval)) {
            idle.clear();
            return false;
        }
        int best = idlest(interval);
        if (suspicious && best >= 0 && best != processor) {
            processor = best;
            unsettled = SETTLING_LOOKS;
            bindAll();
            return false;
        }
        return true;
    }

    private boolean isCrowded(long interval) {
        int task = running.getAsInt();
        long nanos = wait(tracer) + wait(task);
        // Of a task that has not run meanwhile the waiting since its last time would count.
        waited.keySet().retainAll(Set.of(tracer, task));
        return nanos > interval / CROWDED;
    }

    /** How long a task has waited for a processor since the last question, in nanoseconds (/proc/PID/schedstat). */
    private long wait(int tid) {
        String text = read(Path.of("/proc/" + tid + "/schedstat"));
        String[] words = text.split(" ");
        if (words.length < 2) {
            return 0;
        }
        long now = Long.parseLong(words[1]);
        Long before = waited.put(tid, now);
        return before == null ? 0 : now - before;
    }

    /** The allowed processor that was idle for most of the interval, if it was for long; otherwise −1. */
    private int idlest(long interval) {
        int best = -1;
        long most = interval / IDLE;
        for (String line : read(PROCESSORS).lines().toList()) {
            List<String> words = List.of(line.split(" +"));
            if (!words.getFirst().matches("cpu\\d+") || words.size() < 6) {
                continue;
            }
            int number = Integer.parseInt(words.getFirst().substring(3));
            // Idle, and idle while a disk is waited for.
            long now = (Long.parseLong(words.get(4)) + Long.parseLong(words.get(5))) * NANOS_PER_TICK;
            Long before = idle.put(number, now);
            if (before != null && now - before > most && BitSet.valueOf(allowed).get(number)) {
                best = number;
                most = now - before;
            }
        }
        return best;
    }

    private static String read(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            // The task has ended, or /proc is not there: all stays as it is.
            return "";
        }
    }

    private void bindAll() {
        byte[] one = Affinity.mask(processor, allowed.length);
        Affinity.set(tracer, one);
        for (int tid : tasks.get()) {
            Affinity.set(tid, one);
        }
    }
}
