package dev.eremite.replay.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.Tracer;
import dev.eremite.tracer.linux.WaitStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** A traced task into which tests put code, data and probes. */
final class ProbeGuest implements AutoCloseable {
    static final long CODE = 0x5_0000_0000L;
    static final int CODE_LENGTH = 4 << 20;
    static final long STUB = CODE + CODE_LENGTH;
    static final long LOW_STUBS = CODE - 0x4000_0000L;
    static final long DATA = 0x5_1000_0000L;
    static final int DATA_LENGTH = 0x1000;
    static final long STACK = 0x5_1100_0000L;
    static final long SCRATCH = 0x6000_0000L;
    static final long LOW_DATA = SCRATCH + 0x800;

    private static final long PROTECTION_RWX = 7;
    private static final long PRIVATE_ANONYMOUS_FIXED = 0x32;
    private static final int SIGTRAP = 5;
    /** The trap flag and the resume flag belong to the tracer. */
    private static final long TRACER_FLAGS = 0x1_0100L;

    private final Tracer tracer = new Tracer();
    final Tracee task = tracer.spawn();
    private final long[] initial;

    ProbeGuest() {
        map(CODE, CODE_LENGTH + 0x1000);
        map(DATA, DATA_LENGTH);
        map(STACK, 0x1000);
        map(SCRATCH, 0x1000);
        initial = task.registers();
    }

    void map(long address, int length) {
        long result = task.inject(9, address, length, PROTECTION_RWX, PRIVATE_ANONYMOUS_FIXED, -1, 0);
        assertThat(result).isEqualTo(address);
    }

    /** Assembles AT&T source whose text starts at {@link #CODE}. */
    static byte[] assemble(Path folder, String source) throws IOException, InterruptedException {
        Path text = Files.writeString(folder.resolve("guest.s"), source);
        String object = folder.resolve("guest.o").toString();
        String linked = folder.resolve("guest.elf").toString();
        Path binary = folder.resolve("guest.bin");
        run("as", "-o", object, text.toString());
        run("ld", "-Ttext=0x%x".formatted(CODE), "-e", "0", "-o", linked, object);
        run("objcopy", "-O", "binary", "-j", ".text", linked, binary.toString());
        return Files.readAllBytes(binary);
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(String.join(" ", command)).isZero();
    }

    /** Registers with random values, but pointers into data in rbx, rsi, rdi, r8 and a stack, and small rcx. */
    long[] startState(long pc, Random random) {
        long[] registers = initial.clone();
        for (int encoding :
                new int[] {Reg.RAX, Reg.RDX, Reg.RBP, Reg.R9, Reg.R10, Reg.R11, Reg.R12, Reg.R13, Reg.R14, Reg.R15}) {
            registers[encoding] = random.nextLong() >> random.nextInt(64);
        }
        registers[Reg.RCX] = random.nextLong(1, 4);
        registers[Reg.RBX] = DATA + 0x100;
        registers[Reg.RSI] = DATA + 0x400;
        registers[Reg.RDI] = DATA + 0x800;
        registers[Reg.R8] = DATA + 0xc00;
        registers[Reg.RSP] = STACK + 0x800;
        registers[Reg.RIP] = pc;
        registers[Reg.EFLAGS] = 0x202 | random.nextLong() & 0x8d5;
        registers[Reg.ORIG_RAX] = -1;
        return registers;
    }

    void fillData(Random random) {
        byte[] data = new byte[DATA_LENGTH];
        random.nextBytes(data);
        task.memory().write(DATA, data);
        byte[] stack = new byte[0x1000];
        random.nextBytes(stack);
        task.memory().write(STACK, stack);
    }

    byte[] memory() {
        byte[] all = Arrays.copyOf(task.memory().readFully(DATA, DATA_LENGTH), DATA_LENGTH + 0x1000);
        System.arraycopy(task.memory().readFully(STACK, 0x1000), 0, all, DATA_LENGTH, 0x1000);
        return all;
    }

    OptionalLong word(long address) {
        byte[] bytes = task.memory().read(address, 8);
        return bytes.length == 8 ? OptionalLong.of(task.memory().readLong(address)) : OptionalLong.empty();
    }

    void install(Probe probe) {
        task.memory().write(probe.stubAddress(), probe.stub());
        task.memory().write(probe.pc(), probe.patch());
    }

    void remove(Probe probe) {
        task.memory().write(probe.pc(), probe.original());
    }

    ProbeSite site(long pc, long... targets) {
        long start = Math.max(CODE, pc - 256);
        return new ProbeSite(task.memory().readFully(start, (int) (pc - start) + 320), start, pc, targets);
    }

    /** Runs until the next trap and returns the registers there; rip is as the kernel reports it. */
    long[] run() {
        return resume(Tracee.Resume.CONTINUE);
    }

    long[] step() {
        return resume(Tracee.Resume.STEP);
    }

    private long[] resume(Tracee.Resume how) {
        task.resume(how, 0);
        WaitStatus status = tracer.waitFor(task, 20_000_000_000L);
        assertThat(status).as("the guest stopped in time").isNotNull();
        assertThat(status.signalStop() && status.signal() == SIGTRAP)
                .as("%s at 0x%x", status, task.isStopped() ? task.register(Reg.RIP) : 0)
                .isTrue();
        return visible(task.registers());
    }

    /** Lets the task run for a while and interrupts it wherever it is. */
    void runFor(long nanos) {
        task.resume(Tracee.Resume.CONTINUE, 0);
        assertThat(tracer.waitFor(task, nanos)).as("the guest ran on").isNull();
        task.interrupt();
        WaitStatus status = tracer.waitFor(task, 20_000_000_000L);
        assertThat(status).isNotNull();
        assertThat(status.event()).as("%s", status).isEqualTo(WaitStatus.EVENT_STOP);
    }

    WaitStatus runToAnySignal() {
        task.resume(Tracee.Resume.CONTINUE, 0);
        return tracer.waitFor(task, 20_000_000_000L);
    }

    static long[] visible(long[] registers) {
        long[] copy = registers.clone();
        copy[Reg.EFLAGS] &= ~TRACER_FLAGS;
        copy[Reg.ORIG_RAX] = -1;
        return copy;
    }

    /** Single-steps from the state until rip reaches the end; the states, the first and the last included. */
    List<long[]> steps(long[] from, long end) {
        List<long[]> states = new ArrayList<>();
        task.setRegisters(from);
        states.add(visible(from));
        while (states.getLast()[Reg.RIP] != end) {
            states.add(step());
            assertThat(states.size()).isLessThan(5000);
        }
        return states;
    }

    static String show(long[] registers) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Reg.COUNT; i++) {
            text.append(Reg.NAMES.get(i))
                    .append('=')
                    .append(Long.toHexString(registers[i]))
                    .append(' ');
        }
        return text.toString();
    }

    @Override
    public void close() {
        tracer.close();
    }
}
