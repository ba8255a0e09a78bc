package dev.eremite.detcore.syscall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.eremite.tracer.linux.EnginePage;
import dev.eremite.tracer.linux.ProcMaps;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Sys;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.Tracer;
import dev.eremite.tracer.linux.WaitStatus;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Linux is the oracle: a guest makes many calls, and every byte of its memory that a call changed must lie in a range that the
 * call's row reports.
 */
class KernelWritesTest {
    private static final int MAX_FINDINGS = 40;
    private static final long STOP_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final List<String> missed = new ArrayList<>();
    private final Set<String> seen = new TreeSet<>();

    @TempDir
    Path folder;

    @Test
    @Timeout(60)
    void shouldReportEveryByteThatTheKernelWrites() throws IOException, InterruptedException {
        Path guest = compile();
        try (Tracer tracer = new Tracer()) {
            Tracee task = tracer.spawn();
            try {
                start(tracer, task, guest);
                trace(tracer, task);
            } finally {
                if (!task.status().ended()) {
                    tracer.kill(task.tid(), 9);
                }
            }
        }
        assertThat(missed).isEmpty();
        assertThat(seen).contains("read", "recvmsg", "waitid", "ppoll", "mq_timedreceive", "semctl");
    }

    private Path compile() throws IOException, InterruptedException {
        Path source = folder.resolve("writes.c");
        try (InputStream stream = KernelWritesTest.class.getResourceAsStream("/writes.c")) {
            Files.copy(stream, source);
        }
        Path program = folder.resolve("writes");
        Process gcc;
        try {
            gcc = new ProcessBuilder("gcc", "-O1", "-w", "-static", "-o", program.toString(), source.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "no gcc: " + e.getMessage());
            throw e;
        }
        assertThat(gcc.waitFor()).as("gcc").isZero();
        return program;
    }

    private static void start(Tracer tracer, Tracee task, Path program) {
        long data = EnginePage.DATA;
        task.inject(Sys.MMAP, data, EnginePage.DATA_LENGTH, 3, 0x32, -1, 0);
        byte[] path = (program + "\0").getBytes(StandardCharsets.UTF_8);
        task.memory().write(data + 32, path);
        ByteBuffer vectors = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
        task.memory().write(data, vectors.putLong(data + 32).array());
        long[] registers = task.registers();
        registers[Reg.RIP] = EnginePage.SYSCALL;
        registers[Reg.RAX] = Sys.EXECVE;
        registers[Reg.ORIG_RAX] = -1;
        registers[Reg.RDI] = data + 32;
        registers[Reg.RSI] = data;
        registers[Reg.RDX] = data + 8;
        task.setRegisters(registers);
        task.resume(Tracee.Resume.CONTINUE, 0);
        WaitStatus stop = tracer.waitFor(task);
        assertThat(stop.event()).isEqualTo(WaitStatus.EVENT_EXEC);
        task.resume(Tracee.Resume.SYSCALL, 0);
        assertThat(tracer.waitFor(task).syscallStop()).isTrue();
        task.resume(Tracee.Resume.SYSCALL, 0);
    }

    /** Children only run on; the guest itself stops at each entry and exit of a call. */
    private void trace(Tracer tracer, Tracee task) {
        Snapshot entry = null;
        while (missed.size() < MAX_FINDINGS) {
            Tracee stopped = tracer.waitAny(STOP_NANOS);
            assertThat(stopped).as("the guest goes on").isNotNull();
            WaitStatus status = stopped.status();
            if (status.ended()) {
                if (stopped == task) {
                    return;
                }
                continue;
            }
            int signal = status.signalStop() ? status.signal() : 0;
            if (stopped != task) {
                stopped.resume(Tracee.Resume.CONTINUE, signal);
                continue;
            }
            if (status.syscallStop()) {
                if (entry == null) {
                    entry = Snapshot.of(task);
                } else {
                    entry.compare(task, this);
                    entry = null;
                }
            }
            task.resume(Tracee.Resume.SYSCALL, signal);
        }
    }

    /** The call that a task has entered, and all of its writable memory then. */
    private static final class Snapshot {
        private final SyscallRow row;
        private final TracedCall call;
        private final Map<Long, byte[]> memory = new TreeMap<>();

        private Snapshot(SyscallRow row, TracedCall call) {
            this.row = row;
            this.call = call;
        }

        static Snapshot of(Tracee task) {
            TracedCall call = new TracedCall(task);
            Snapshot snapshot = new Snapshot(SyscallTable.linux().find(call.number()), call);
            if (snapshot.row.handling() == Handling.RECORD || snapshot.row.handling() == Handling.EMULATE) {
                for (ProcMaps.Entry map : ProcMaps.read(task.tid())) {
                    if ((map.prot() & 2) != 0) {
                        snapshot.memory.put(
                                map.start(), task.memory().read(map.start(), (int) (map.end() - map.start())));
                    }
                }
            }
            return snapshot;
        }

        void compare(Tracee task, KernelWritesTest test) {
            call.result = task.register(Reg.RAX);
            test.seen.add(row.name());
            if (row.refusal(call).isPresent()) {
                return;
            }
            List<long[]> ranges = new ArrayList<>();
            row.collectOutputs(call, (address, length) -> ranges.add(new long[] {address, address + length}));
            memory.forEach((start, before) -> {
                byte[] after = task.memory().read(start, before.length);
                int at = Arrays.mismatch(before, after);
                while (at >= 0 && at < before.length) {
                    if (before[at] != after[at] && !covered(ranges, start + at)) {
                        test.missed.add(
                                "%s wrote 0x%x".formatted(SyscallDecoder.linux().complete(call), start + at));
                        return;
                    }
                    at++;
                }
            });
        }

        private static boolean covered(List<long[]> ranges, long address) {
            return ranges.stream().anyMatch(range -> address >= range[0] && address < range[1]);
        }
    }

    /** The call of a stopped task. */
    private static final class TracedCall implements CallView {
        private final Tracee task;
        private final int number;
        private final long[] arguments;
        private long result;

        TracedCall(Tracee task) {
            this.task = task;
            number = (int) task.register(Reg.ORIG_RAX);
            arguments = new long[] {
                task.register(Reg.RDI), task.register(Reg.RSI), task.register(Reg.RDX),
                task.register(Reg.R10), task.register(Reg.R8), task.register(Reg.R9)
            };
        }

        @Override
        public int number() {
            return number;
        }

        @Override
        public long arg(int index) {
            return arguments[index];
        }

        @Override
        public long result() {
            return result;
        }

        @Override
        public byte[] read(long address, int length) {
            return Arrays.copyOf(task.memory().read(address, length), length);
        }

        @Override
        public int readInt(long address) {
            return task.memory().readInt(address);
        }

        @Override
        public long readLong(long address) {
            return task.memory().readLong(address);
        }
    }
}
