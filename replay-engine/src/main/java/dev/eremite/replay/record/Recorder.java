package dev.eremite.replay.record;

import dev.eremite.detcore.syscall.SyscallTable;
import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.replay.event.RegisterProof;
import dev.eremite.replay.guest.CpuidTable;
import dev.eremite.replay.guest.Proofs;
import dev.eremite.replay.record.RecordedTask.Call;
import dev.eremite.replay.record.RecordedTask.State;
import dev.eremite.tracer.linux.Sys;
import dev.eremite.tracer.linux.TaskGoneException;
import dev.eremite.tracer.linux.TerminalSignals;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.Tracee.Resume;
import dev.eremite.tracer.linux.Tracer;
import dev.eremite.tracer.linux.WaitStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Records one run of a program and all its descendants. One guest task runs at a time; what each gets from outside goes to
 * the log in the order in which it could have seen it.
 */
public final class Recorder {
    private static final int SIGKILL = 9;
    private static final int SIGTERM = 15;

    /** How long the guest may take to end after it has been asked to. */
    private static final long TERMINATION_NANOS = 3_000_000_000L;

    private static final long STATUS_WAIT_NANOS = 2_000_000_000L;

    private final RecordOptions options;
    private final RecordingSink sink;
    private final CallListener listener;
    private final Tracer tracer = new Tracer();
    private final Map<Integer, RecordedTask> tasks = new LinkedHashMap<>();
    private final Map<Integer, WaitStatus> unannounced = new HashMap<>();
    private final Deque<RecordedTask> ready = new ArrayDeque<>();
    private final ProcessorTraps traps = new ProcessorTraps(this);
    private final CallRecorder calls;
    private final SignalRecorder signals;
    private final TaskRecorder births;
    private final DeathWrites deathWrites =
            new DeathWrites(task -> tasksOf(task.process).size());
    private final RecordCosts costs = new RecordCosts(tracer);
    private final Landing landing = new Landing(this);
    private final ProcessorBinding binding = new ProcessorBinding(this);
    private final Patience patience;
    private TerminalSignals terminal;
    private CpuidTable cpuid;
    private RecordedTask current;
    private RecordedTask root;
    private long events;
    private long killAt;
    private boolean timedOut;
    private boolean terminated;
    private volatile boolean terminate;
    private int rootStatus;
    private boolean rootReaped;
    private boolean ending;
    private int alive;

    /** Prepares a recording. To be called on the thread that will run it. */
    public Recorder(RecordOptions options, SyscallTable table, RecordingSink sink) {
        this(options, table, sink, CallListener.NONE);
    }

    /** Prepares a recording whose calls somebody listens to. To be called on the thread that will run it. */
    public Recorder(RecordOptions options, SyscallTable table, RecordingSink sink, CallListener listener) {
        this.listener = listener;
        this.options = options;
        this.sink = sink;
        calls = new CallRecorder(this, table);
        signals = new SignalRecorder(this);
        births = new TaskRecorder(this);
        patience = new Patience(tracer);
    }

    /** The processor that the guest sees; known once {@link #launch} has returned. */
    public CpuidTable cpuid() {
        return cpuid;
    }

    /** Asks a running {@link #run} to end the guest, by SIGTERM first, and to return. May be called from any thread. */
    public void terminate() {
        terminate = true;
        tracer.wake();
    }

    /**
     * Starts the guest and stops it at its first instruction. Signals of the terminal are the guest's from now on.
     *
     * @return 0, or the errno of execve(2)
     */
    public int launch() {
        Tracee stub = tracer.spawn();
        // Before there was somebody else to get them, they were for this process.
        terminal = TerminalSignals.leaveToGuest();
        stub.mapEngineData();
        cpuid = CpuidTable.read(stub);
        binding.begin(stub);
        Integer errno = GuestLauncher.execute(tracer, stub, options, new TreeSet<>());
        if (errno != null) {
            tracer.close();
            return errno;
        }
        root = addTask(stub.tid(), stub.tid(), stub);
        root.state = State.RUNNING;
        Effect image = births.adoptImage(root);
        append(new Event.Syscall(
                root.tid, new RegisterProof(0, 0, 0), Sys.EXECVE, new long[6], 0, List.of(), 0, image));
        traps.settle(root);
        makeReady(root);
        return 0;
    }

    /** The signals of the terminal, which are the guest's since {@link #launch}, for the caller to take back; null before. */
    public TerminalSignals terminal() {
        return terminal;
    }

    /** Runs the guest to the end of its last task. */
    public RecordResult run() {
        killAt = options.timeoutNanos() > 0 ? System.nanoTime() + options.timeoutNanos() : Long.MAX_VALUE;
        try {
            while (alive > 0) {
                RecordedTask next = ready.poll();
                if (next == null) {
                    awaitAny();
                } else if (next.state == State.READY) {
                    runTask(next);
                }
            }
            awaitRootStatus();
        } finally {
            tracer.close();
        }
        return new RecordResult(rootStatus, events, costs, timedOut);
    }

    /** A first thread that ended before others gets its status, that of the process, only when all have ended. */
    private void awaitRootStatus() {
        long deadline = System.nanoTime() + STATUS_WAIT_NANOS;
        while (!rootReaped && System.nanoTime() < deadline) {
            Tracee tracee = tracer.waitAny(STATUS_WAIT_NANOS);
            if (tracee != null) {
                noteStop(tracee);
            }
        }
    }

    private void awaitAny() {
        Tracee tracee = tracer.waitAny(killAt == Long.MAX_VALUE ? -1 : Math.max(1, killAt - System.nanoTime()));
        checkEnd();
        if (tracee != null) {
            noteStop(tracee);
        }
    }

    private void checkEnd() {
        if (terminate) {
            terminate = false;
            terminated = true;
            tracer.kill(root.process, SIGTERM);
            killAt = Math.min(killAt, System.nanoTime() + TERMINATION_NANOS);
        }
        if (System.nanoTime() > killAt) {
            timedOut |= !terminated;
            killAt = Long.MAX_VALUE;
            ending = true;
            for (RecordedTask task : tasks.values()) {
                if (task.state != State.DEAD) {
                    tracer.kill(task.process, SIGKILL);
                }
            }
        }
    }

    /** Gives the processor to a task until it waits, ends, or its turn is over. */
    private void runTask(RecordedTask task) {
        current = task;
        task.state = State.RUNNING;
        patience.beginTurn();
        try {
            noteDeath(task);
            if (task.pendingStop == null) {
                resumeUser(task, 0);
            }
            while (task.state == State.RUNNING) {
                WaitStatus stop = task.pendingStop != null ? task.pendingStop : await(task);
                task.pendingStop = null;
                if (stop == null) {
                    return;
                }
                int cause = costs.cause(task, stop);
                long before = tracer.stops();
                handle(task, stop);
                costs.count(cause, stop, before);
            }
        } catch (TaskGoneException e) {
            taskGone(task);
        } finally {
            current = null;
        }
    }

    /** A task that has been killed while it was stopped stands somewhere else than where it was left. */
    private void noteDeath(RecordedTask task) {
        WaitStatus newer = tracer.waitFor(task.tracee, 0);
        if (newer != null) {
            task.pendingStop = newer;
        }
    }

    /** Waits for the current task; null when it turned out to wait in the kernel, and another can run. */
    private WaitStatus await(RecordedTask task) {
        Call call = task.call;
        patience.beginWait(call != null && (call.complete || call.row.mayBlock().test(call.view)));
        while (task.state == State.RUNNING) {
            Tracee tracee = tracer.waitAny(patience.timeout(!ready.isEmpty(), task, killAt));
            if (tracee == null && System.nanoTime() > killAt) {
                WaitStatus stop = landing.keepPlace(task);
                if (stop != null) {
                    return stop;
                }
            }
            checkEnd();
            if (tracee == task.tracee) {
                return tracee.status();
            }
            if (tracee != null) {
                noteStop(tracee);
            } else if (task.call != null && !ready.isEmpty() && patience.blocked(task)) {
                leaveInKernel(task);
                return null;
            } else if (task.call == null) {
                boolean othersWait = !ready.isEmpty() && patience.exhausted(task);
                if (othersWait || signals.isOverdue(task)) {
                    WaitStatus stop = landing.interrupt(task, othersWait);
                    if (stop != null) {
                        return stop;
                    }
                }
            }
        }
        return null;
    }

    private void leaveInKernel(RecordedTask task) {
        task.state = State.IN_KERNEL;
        logEntry(task);
    }

    /** Logs the entry of the task's call by itself, so that events of other tasks may follow. */
    void logEntry(RecordedTask task) {
        Call call = task.call;
        if (call != null && !call.entryLogged && !call.complete) {
            call.entryLogged = true;
            append(new Event.SyscallEnter(
                    task.tid,
                    call.proof,
                    call.view.number(),
                    call.view.arguments().clone(),
                    CallRecorder.waitingWrites(task)));
        }
    }

    /** Takes note of a stop of a task that does not have the processor. */
    void noteStop(Tracee tracee) {
        if (tracee.status().event() == WaitStatus.EVENT_EXEC) {
            RecordedTask renamed = births.adoptLeaderId(tracee, tracee.status());
            if (renamed != null) {
                makeReady(renamed);
                return;
            }
        }
        RecordedTask task = tasks.get(tracee.tid());
        if (task == null && tracee.status().ended()) {
            tracer.forget(tracee);
            return;
        }
        if (task == null) {
            unannounced.put(tracee.tid(), tracee.status());
            return;
        }
        noteStop(task, tracee.status());
    }

    private void noteStop(RecordedTask task, WaitStatus status) {
        if (task.state == State.DEAD) {
            finishReaping(task, status);
            return;
        }
        task.pendingStop = status;
        makeReady(task);
    }

    private void finishReaping(RecordedTask task, WaitStatus status) {
        if (status.ended()) {
            reaped(task, status);
            tracer.forget(task.tracee);
        } else {
            task.tracee.resume(Resume.CONTINUE, 0);
        }
    }

    private void handle(RecordedTask task, WaitStatus stop) {
        signals.listen(task, stop);
        switch (stop.event()) {
            case WaitStatus.EVENT_SECCOMP -> calls.entered(task);
            case WaitStatus.EVENT_FORK, WaitStatus.EVENT_VFORK, WaitStatus.EVENT_CLONE -> births.spawned(task);
            case WaitStatus.EVENT_EXEC -> births.execEvent(task);
            case WaitStatus.EVENT_VFORK_DONE -> task.tracee.resume(Resume.SYSCALL, 0);
            case WaitStatus.EVENT_EXIT -> births.exiting(task);
            case WaitStatus.EVENT_STOP -> signals.eventStop(task, stop);
            default -> {
                if (stop.ended()) {
                    ended(task, stop.raw(), List.of());
                    finishReaping(task, stop);
                } else if (stop.syscallStop()) {
                    calls.returned(task);
                } else {
                    signals.signalStop(task, stop.signal());
                }
            }
        }
    }

    /** A task whose end is in the log, or will be in a moment, has left the kernel with a status. */
    void reaped(RecordedTask task, WaitStatus status) {
        if (task.tid == root.tid) {
            rootStatus = status.raw();
            rootReaped = true;
        }
        tasks.remove(task.tid, task);
    }

    /** A thread has been ended by another's execve, and the kernel tells nothing of it. */
    void vanished(RecordedTask task) {
        if (task.state != State.DEAD) {
            task.state = State.DEAD;
            calls.forgetMemory(task);
            alive--;
            tasks.remove(task.tid, task);
        }
    }

    private void taskGone(RecordedTask task) {
        // Something killed it while it was stopped; its status is on the way.
        if (task.state != State.DEAD) {
            task.state = State.IN_KERNEL;
        }
    }

    /** Logs a task's end. */
    void ended(RecordedTask task, int status, List<MemoryWrite> writes) {
        if (task.state == State.DEAD) {
            return;
        }
        logCurrentEntry(task);
        append(new Event.TaskExit(task.tid, status, writes));
        task.state = State.DEAD;
        calls.forgetMemory(task);
        alive--;
        if (task.tid == root.tid && !rootReaped) {
            rootStatus = status;
        }
    }

    /** Before an event of another task: the call in which the current one is must be in the log. */
    private void logCurrentEntry(RecordedTask other) {
        if (current != null && current != other) {
            logEntry(current);
        }
    }

    /** Registers a task that the kernel has created; its first stop may have been seen already. */
    RecordedTask addTask(int tid, int process, Tracee tracee) {
        RecordedTask task = new RecordedTask(tid, process, tracee);
        tasks.put(tid, task);
        alive++;
        if (ending) {
            tracer.kill(process, SIGKILL);
        }
        WaitStatus early = unannounced.remove(tid);
        if (early != null) {
            noteStop(task, early);
        }
        return task;
    }

    /** Queues a stopped task for the processor. */
    void makeReady(RecordedTask task) {
        if (task.state != State.READY) {
            task.state = State.READY;
            ready.add(task);
        }
    }

    /** Ends the current task's turn at its next boundary, if another is ready then. */
    void endTurn() {
        patience.endTurn();
    }

    /** Lets a task run guest code from where it stands, or queues it there when its turn is over. */
    void resumeUser(RecordedTask task, int signal) {
        task.call = null;
        if (task.state == State.RUNNING && signal == 0 && !ready.isEmpty() && patience.turnOver()) {
            makeReady(task);
            return;
        }
        traps.beforeRun(task);
        signals.raiseDeferred(task);
        task.setBoundary(null);
        task.started = true;
        task.tracee.resume(Resume.CONTINUE, signal);
    }

    long append(Event event) {
        events++;
        return sink.append(event);
    }

    CallListener listener() {
        return listener;
    }

    RecordingSink sink() {
        return sink;
    }

    Tracer tracer() {
        return tracer;
    }

    CallRecorder calls() {
        return calls;
    }

    TaskRecorder births() {
        return births;
    }

    ProcessorTraps traps() {
        return traps;
    }

    ProcessorBinding binding() {
        return binding;
    }

    DeathWrites deathWrites() {
        return deathWrites;
    }

    SignalRecorder signals() {
        return signals;
    }

    Collection<RecordedTask> tasks() {
        return tasks.values();
    }

    RecordedTask task(int tid) {
        return tasks.get(tid);
    }

    List<RecordedTask> tasksOf(int process) {
        List<RecordedTask> result = new ArrayList<>();
        for (RecordedTask task : tasks.values()) {
            if (task.process == process && task.state != State.DEAD) {
                result.add(task);
            }
        }
        return result;
    }

    void rename(RecordedTask task, RecordedTask renamed) {
        tasks.remove(task.tid);
        calls.forgetMemory(task);
        RecordedTask leader = tasks.put(renamed.tid, renamed);
        if (leader != null) {
            vanished(leader);
        }
    }

    RegisterProof proof(RecordedTask task) {
        return Proofs.of(task.tracee.registersView());
    }
}
