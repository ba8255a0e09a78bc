package dev.eremite.gdb;

import dev.eremite.replay.debug.DebugTarget;
import dev.eremite.replay.debug.Stop;
import dev.eremite.replay.debug.ThreadRegisters;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Shows a live process that waits: its memory, its files, and those registers that it told itself. It cannot move. */
final class LiveTarget implements DebugTarget {
    private static final int FS_BASE = 21;

    private final Path proc;
    private final int process;
    private final RandomAccessFile memory;
    private final Map<Integer, long[]> threads = new LinkedHashMap<>();

    LiveTarget(int process) throws IOException {
        this.process = process;
        this.proc = Path.of("/proc", String.valueOf(process));
        this.memory = new RandomAccessFile(proc.resolve("mem").toFile(), "r");
    }

    void thread(int thread, long threadPointer, long pc, long sp) {
        long[] general = new long[27];
        general[FS_BASE] = threadPointer;
        general[TinyProcessor.RIP] = pc;
        general[TinyProcessor.RSP] = sp;
        general[TinyProcessor.RBP] = sp;
        threads.put(thread, general);
    }

    @Override
    public List<ThreadInfo> threads() {
        return threads.keySet().stream()
                .map(thread -> new ThreadInfo(process, thread, "live"))
                .toList();
    }

    @Override
    public Stop current() {
        return new Stop(Stop.Reason.ATTACHED, process, process, 0, 0, 0);
    }

    @Override
    public Stop move(Movement movement) {
        throw new UnsupportedOperationException("a live process does not move here");
    }

    @Override
    public void interrupt() {}

    @Override
    public Stop restart() {
        throw new UnsupportedOperationException("a live process does not move here");
    }

    @Override
    public ThreadRegisters registers(int thread) {
        return new ThreadRegisters(
                threads.get(thread).clone(), new byte[576], new ThreadRegisters.XsaveLayout(-1, -1, -1, -1, -1));
    }

    @Override
    public byte[] readMemory(int process, long address, int length) {
        if (address < 0) {
            return new byte[0];
        }
        try {
            byte[] bytes = new byte[length];
            memory.seek(address);
            return Arrays.copyOf(bytes, Math.max(0, memory.read(bytes)));
        } catch (IOException e) {
            // EIO: not mapped.
            return new byte[0];
        }
    }

    @Override
    public void addBreakpoint(Breakpoint breakpoint) {}

    @Override
    public void removeBreakpoint(BreakpointKind kind, int process, long address, long length) {}

    @Override
    public byte[] auxv(int process) {
        try {
            return Files.readAllBytes(proc.resolve("auxv"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String executable(int process) {
        try {
            return Files.readSymbolicLink(proc.resolve("exe")).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Optional<byte[]> siginfo(int thread) {
        return Optional.empty();
    }

    @Override
    public Optional<Path> file(String path) {
        return Optional.of(Path.of(path)).filter(Files::isRegularFile);
    }

    @Override
    public void passSignals(Set<Integer> signals) {}

    @Override
    public String monitor(String command) {
        return "";
    }

    @Override
    public boolean writeMemory(int process, long address, byte[] bytes) {
        return false;
    }

    @Override
    public boolean writeRegisters(int thread, ThreadRegisters registers) {
        return false;
    }

    @Override
    public void close() {
        try {
            memory.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
