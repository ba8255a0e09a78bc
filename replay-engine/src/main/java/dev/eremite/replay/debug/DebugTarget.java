package dev.eremite.replay.debug;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * What a debug server needs of a replay. All methods but {@link #interrupt} are called from one thread; a method
 * that moves blocks until the next stop. The schedule is the recording's, so a step of a thread that is not about to
 * run moves the whole recording until that thread has stepped.
 */
public interface DebugTarget extends AutoCloseable {
    /** A thread that exists at the present position. */
    record ThreadInfo(int process, int thread, String name) {}

    /** What processes do besides running. */
    enum ProcessEvent {
        FORK,
        VFORK,
        EXEC
    }

    /** Which way to move. */
    enum Direction {
        FORWARD,
        BACKWARD
    }

    /**
     * A movement.
     *
     * @param thread the thread to step, or 0 to continue
     * @param rangeStart when stepping: go on while the thread's pc is in [rangeStart, rangeEnd); both 0 for one step
     */
    record Movement(Direction direction, int thread, long rangeStart, long rangeEnd) {}

    /** Kinds of breakpoint, numbered as in the Z packets. */
    enum BreakpointKind {
        SOFTWARE,
        HARDWARE,
        WRITE,
        READ,
        ACCESS
    }

    /** A condition that is evaluated at a hit without leaving the engine. */
    @FunctionalInterface
    interface Condition {
        /** Whether to stop, given the thread that hit. */
        boolean holds(int process, int thread);

        /**
         * Equalities without all of which the condition cannot hold; none where nothing of the kind is known. They can be
         * tested in the guest itself, a thousand times faster than the condition.
         */
        default List<Equality> needs() {
            return List.of();
        }
    }

    /**
     * A breakpoint or watchpoint.
     *
     * @param length watched bytes; for breakpoints the protocol's kind, ignored
     * @param conditions stop if any holds; empty means always
     */
    record Breakpoint(BreakpointKind kind, int process, long address, long length, List<Condition> conditions) {}

    /**
     * A mapped region of guest memory.
     *
     * @param start its first address
     * @param end the address after its last
     * @param permissions the rights as letters out of "rwx"
     * @param name the mapped file or the kernel's name for it; empty when it has none
     */
    record MemoryRegion(long start, long end, String permissions, String name) {}

    /** The threads of the debugged processes, at least one, in order of creation. */
    List<ThreadInfo> threads();

    /** The present stop. */
    Stop current();

    /**
     * Moves and returns the next stop. Conditions of breakpoints are evaluated during the move, on the same thread,
     * and may call {@link #threads}, {@link #registers} and {@link #readMemory}.
     */
    Stop move(Movement movement);

    /** The stop of a movement that is interrupted before it begins: everything stays as it is. */
    default Stop stay() {
        Stop here = current();
        return new Stop(Stop.Reason.INTERRUPTED, here.process(), here.thread(), 0, 0, here.event());
    }

    /**
     * Makes a running {@link #move} return soon with an interrupted stop. Called from any thread, perhaps several
     * times for one move. Without effect when nothing moves: it must not stop the next move.
     */
    void interrupt();

    /** Goes to the first instruction of the recording and returns that stop, an {@code ATTACHED} one. */
    Stop restart();

    /** The registers of a thread. */
    ThreadRegisters registers(int thread);

    /**
     * Reads memory of a debugged process; shorter than asked, possibly empty, where it is not mapped. Breakpoints do not
     * show.
     */
    byte[] readMemory(int process, long address, int length);

    /** The mapped regions of a process in order of address; empty where a target does not offer them. */
    default List<MemoryRegion> memoryRegions(int process) {
        return List.of();
    }

    /** Adds a breakpoint of any number, length and alignment. Adding an equal one replaces its conditions. */
    void addBreakpoint(Breakpoint breakpoint);

    /** Removes the breakpoint of that kind, process, address and length, if there. */
    void removeBreakpoint(BreakpointKind kind, int process, long address, long length);

    /** The auxiliary vector of a process as raw bytes. */
    byte[] auxv(int process);

    /** The path of a process's executable as the guest saw it. */
    String executable(int process);

    /** The 128 bytes of siginfo_t of the thread's last reported signal, if any. */
    Optional<byte[]> siginfo(int thread);

    /** The bytes of a file that the recording holds, by the path the guest saw; empty when it holds none. */
    Optional<java.nio.file.Path> file(String path);

    /** Signals (1…64) that are not to be reported. */
    void passSignals(Set<Integer> signals);

    /**
     * Which events of processes are told by stops of their own, in both directions: those that the client understands; none
     * when it has gone. Only with forks can children be debugged besides their parents.
     */
    default void tell(Set<ProcessEvent> events) {
        // A target with a single process has none.
    }

    /**
     * Debugs one more process, which must exist at the present position; the present stop is one in that process then.
     *
     * @return false when there is no such process here
     */
    default boolean attach(int process) {
        return threads().stream().anyMatch(info -> info.process() == process);
    }

    /** Debugs a process no longer, and takes its breakpoints out. The last one stays, so that there is something to look at. */
    default void detach(int process) {
        // A target with a single process keeps it.
    }

    /** Whether {@link #catchSyscalls} works; always the same for one target. */
    default boolean canCatchSyscalls() {
        return false;
    }

    /**
     * Makes moves, in both directions, also stop at the entries and returns of some system calls.
     *
     * @param wanted tells which, by number, or null for none; replaces what was asked for before
     */
    default void catchSyscalls(IntPredicate wanted) {
        throw new UnsupportedOperationException("system calls cannot be caught here");
    }

    /** Positions of the recording, for those that speak to the engine and not through a debugger's protocol. */
    default Optional<TimeTravel> timeTravel() {
        return Optional.empty();
    }

    /** Runs an engine command (GDB's monitor); returns the text to show, lines ended by newline. */
    String monitor(String command);

    /**
     * Writes guest memory in a throw-away copy; false when refused. The recording never changes. A move forward goes on in
     * the copy if a thread has been sent somewhere else ({@link #writeRegisters}); every other move drops it.
     */
    boolean writeMemory(int process, long address, byte[] bytes);

    /** Whether {@link #allocate} works; always the same for one target. */
    default boolean canAllocate() {
        return false;
    }

    /**
     * Makes memory of the debugger's own, in all debugged processes at the same address. It can be read and written like other
     * memory, without a copy, and stays over moves; the recording's program does not see it, code that runs in a copy does.
     *
     * @param length in bytes
     * @return its address; 0 where there is not so much to be had
     */
    default long allocate(int length) {
        throw new UnsupportedOperationException("there is no memory for the debugger here");
    }

    /** Gives memory back that {@link #allocate} has made; false if there is none at that address. */
    default boolean release(long address) {
        return false;
    }

    /** Sets registers in a throw-away copy; false when refused. */
    boolean writeRegisters(int thread, ThreadRegisters registers);

    /** What the user should know of the last move, lines ended by newline; empty when nothing. Told once. */
    default String takeNotice() {
        return "";
    }

    /** Ends the replay and all its tasks. */
    @Override
    void close();
}
