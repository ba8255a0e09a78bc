package dev.eremite.replay.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.eremite.replay.guest.LandmarkState;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.WaitStatus;
import dev.eremite.tracer.x86.UserRegisters;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Probes in real loops stop at exactly the visit that they should. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ProbeConditionTest {
    private static final int SIGSEGV = 11;

    /** All registers and some words change from round to round; the probed loop head is at slot start. */
    private static final String MIXING_LOOP = """
            head:
                leaq 0x1234567(%rax,%rcx,4), %rax
                imulq $0x1e3779b1, %rdx, %rdx
                incq %rdx
                addq %rax, %rbp
                xorq %rbp, %r9
                leaq 7(%r10), %r10
                rolq $13, %r11
                addq %r11, %r12
                subq $3, %r13
                adcq %r13, %r14
                notq %r15
                addq %rdx, 8(%rbx)
                addq $8, %rsi
                subq $8, %rdi
                addq $16, %r8
                addq $8, %rsp
                movq %r9, 0x60000800
                movq %rdx, %xmm3
                movq %r9, %xmm11
                movlhps %xmm3, %xmm11
                incl 0x10(%rbx)
                incq %rcx
                cmpq $60, %rcx
                jb head
                int3
            """;

    @BeforeAll
    static void needsTools() {
        assumeTrue(Files.exists(Path.of("/usr/bin/as")), "the assembler is not installed here");
    }

    /** The state at a visit of the loop's head, with all the memory that the loop can reach. */
    private record Visit(long[] registers, long[] vectors, byte[] memory, long lowWord) {
        OptionalLong word(long address) {
            if (address == ProbeGuest.LOW_DATA) {
                return OptionalLong.of(lowWord);
            }
            long offset = address >= ProbeGuest.STACK
                    ? address - ProbeGuest.STACK + ProbeGuest.DATA_LENGTH
                    : address - ProbeGuest.DATA;
            return OptionalLong.of(
                    ByteBuffer.wrap(memory).order(ByteOrder.LITTLE_ENDIAN).getLong((int) offset));
        }
    }

    @Test
    void shouldStopAtTheFirstVisitThatMatches(@TempDir Path folder) throws IOException, InterruptedException {
        long seed = Long.getLong("eremite.seed", 99);
        Random random = new Random(seed);
        try (ProbeGuest guest = new ProbeGuest()) {
            guest.task.memory().write(ProbeGuest.CODE, ProbeGuest.assemble(folder, MIXING_LOOP));
            long[] initial = loopStart(guest, seed);
            byte[] vectors = guest.task.xsave();
            List<Visit> visits = visits(guest, initial, seed);
            assertThat(visits).hasSizeGreaterThan(50);
            for (int round = 0; round < 400; round++) {
                ProbeCondition condition = randomCondition(visits, random);
                int count = 1 + random.nextInt(3);
                String what = "seed %d round %d: %s × %d".formatted(seed, round, condition, count);
                guest.fillData(new Random(seed));
                guest.task.memory().writeLong(ProbeGuest.LOW_DATA, 0);
                guest.task.setXsave(vectors);
                checkStop(guest, initial, visits, condition, count, what);
            }
        }
    }

    private static long[] loopStart(ProbeGuest guest, long seed) {
        guest.fillData(new Random(seed));
        long[] initial = guest.startState(ProbeGuest.CODE, new Random(seed));
        initial[Reg.RCX] = 0;
        initial[Reg.RSP] = ProbeGuest.STACK + 0x100;
        return initial;
    }

    private static List<Visit> visits(ProbeGuest guest, long[] initial, long seed) {
        List<Visit> visits = new ArrayList<>();
        guest.fillData(new Random(seed));
        guest.task.memory().writeLong(ProbeGuest.LOW_DATA, 0);
        guest.task.setRegisters(initial);
        long[] state = ProbeGuest.visible(initial);
        while (guest.task.memory().read(state[Reg.RIP], 1)[0] != (byte) 0xcc) {
            if (state[Reg.RIP] == ProbeGuest.CODE) {
                visits.add(new Visit(
                        state,
                        LandmarkState.vectors(guest.task),
                        guest.memory(),
                        guest.word(ProbeGuest.LOW_DATA).orElseThrow()));
            }
            state = guest.step();
        }
        return visits;
    }

    private static ProbeCondition randomCondition(List<Visit> visits, Random random) {
        List<Comparison> comparisons = randomComparisons(visits, random);
        return random.nextInt(3) == 0
                ? new ProbeCondition(comparisons, false, randomComparisons(visits, random))
                : new ProbeCondition(comparisons, random.nextBoolean());
    }

    private static List<Comparison> randomComparisons(List<Visit> visits, Random random) {
        Visit model = visits.get(random.nextInt(visits.size()));
        List<Comparison> comparisons = new ArrayList<>();
        int size = 1 + random.nextInt(ProbeCondition.MAX_COMPARISONS);
        int[] pointers = {Reg.RSI, Reg.RDI, Reg.R8, Reg.RSP, Reg.RBX};
        for (int i = 0; i < size; i++) {
            int kind = random.nextInt(5);
            if (kind == 4) {
                int half = new int[] {6, 7, 22, 23}[random.nextInt(4)];
                comparisons.add(new Comparison.VectorEquals(half, model.vectors()[half]));
            } else if (kind < 2) {
                int register = UserRegisters.indexOf(random.nextInt(16));
                long value = model.registers()[register];
                comparisons.add(
                        random.nextInt(3) == 0
                                ? new Comparison.RegisterHalfEquals(register, (int) value)
                                : new Comparison.RegisterEquals(register, value));
            } else {
                int base = pointers[random.nextInt(pointers.length)];
                int displacement = 4 * random.nextInt(11) - 16;
                long address = model.registers()[base] + displacement;
                boolean absolute = kind == 3;
                if (absolute && random.nextInt(3) == 0) {
                    address = ProbeGuest.LOW_DATA;
                }
                int width = random.nextBoolean() ? 4 : 8;
                long value = model.word(address).orElseThrow();
                comparisons.add(
                        absolute
                                ? new Comparison.MemoryEquals(Comparison.MemoryEquals.ABSOLUTE, address, width, value)
                                : new Comparison.MemoryEquals(base, displacement, width, value));
            }
        }
        return comparisons;
    }

    private static void checkStop(
            ProbeGuest guest, long[] initial, List<Visit> visits, ProbeCondition condition, int count, String what) {
        long head = ProbeGuest.CODE;
        Probe probe = (Probe) ProbeAssembler.assemble(guest.site(head), ProbeGuest.STUB, ProbeGuest.SCRATCH, condition);
        guest.install(probe);
        guest.task.memory().writeLong(probe.counterAddress(), count);
        guest.task.setRegisters(initial);
        int wanted = condition.counted() ? count : 1;
        int expected = -1;
        for (int i = 0; i < visits.size() && wanted > 0; i++) {
            Visit visit = visits.get(i);
            if (condition.holds(visit.registers(), visit.vectors(), visit::word)) {
                wanted--;
                expected = i;
            }
        }
        expected = wanted > 0 ? -1 : expected;
        long[] stop = guest.run();
        if (expected < 0) {
            assertThat(probe.contains(stop[Reg.RIP])).as(what).isFalse();
        } else {
            assertThat(probe.isHit(stop[Reg.RIP]))
                    .as("%s at visit %d", what, expected)
                    .isTrue();
            long[] view = probe.normalise(stop, guest.task.memory().readLong(probe.savedRcxAddress()))
                    .orElseThrow()
                    .registers();
            assertThat(view)
                    .as("%s at visit %d", what, expected)
                    .isEqualTo(visits.get(expected).registers());
        }
        guest.remove(probe);
    }

    @Test
    void shouldStopAtTheNthVisit(@TempDir Path folder) throws IOException, InterruptedException {
        String source = """
                    xorl %eax, %eax
                head:
                    addq $1, %rax
                    xorq %rax, %rdx
                    cmpq %r9, %rax
                    jne head
                    int3
                """;
        try (ProbeGuest guest = new ProbeGuest()) {
            guest.task.memory().write(ProbeGuest.CODE, ProbeGuest.assemble(folder, source));
            long rounds = 30_000_000;
            long nth = 29_999_987;
            long[] initial = guest.startState(ProbeGuest.CODE, new Random(1));
            initial[Reg.R9] = rounds;
            initial[Reg.RDX] = 0;
            Probe probe = (Probe) ProbeAssembler.assemble(
                    guest.site(ProbeGuest.CODE + 2), ProbeGuest.STUB, ProbeGuest.SCRATCH, ProbeCondition.counting());
            guest.install(probe);
            guest.task.memory().writeLong(probe.counterAddress(), nth);
            guest.task.setRegisters(initial);
            long[] stop = guest.run();
            assertThat(probe.isHit(stop[Reg.RIP])).isTrue();
            assertThat(stop[Reg.RAX]).isEqualTo(nth - 1);
            long[] end = guest.run();
            assertThat(end[Reg.RAX]).isEqualTo(rounds);
            assertThat(probe.contains(end[Reg.RIP])).isFalse();
            assertThat(guest.task.memory().readLong(probe.counterAddress())).isEqualTo(nth - rounds);
        }
    }

    @Test
    void shouldGoOnAfterAFaultInThePredicate(@TempDir Path folder) throws IOException, InterruptedException {
        try (ProbeGuest guest = new ProbeGuest()) {
            guest.task.memory().write(ProbeGuest.CODE, ProbeGuest.assemble(folder, "addq $0x12345, %rax\n int3\n"));
            Probe probe = (Probe) ProbeAssembler.assemble(
                    guest.site(ProbeGuest.CODE),
                    ProbeGuest.STUB,
                    ProbeGuest.SCRATCH,
                    ProbeCondition.comparing(new Comparison.MemoryEquals(Reg.RCX, 0x10, 8, 5)));
            guest.install(probe);
            long[] initial = guest.startState(ProbeGuest.CODE, new Random(1));
            guest.task.setRegisters(initial);
            WaitStatus status = guest.runToAnySignal();
            assertThat(status.signalStop()).isTrue();
            assertThat(status.signal()).isEqualTo(SIGSEGV);
            assertThat(probe.isPredicate(guest.task.register(Reg.RIP))).isTrue();
            guest.task.setRegister(Reg.RIP, probe.missAddress());
            long[] end = guest.run();
            assertThat(end[Reg.RAX]).isEqualTo(initial[Reg.RAX] + 0x12345);
            assertThat(end[Reg.RCX]).isEqualTo(initial[Reg.RCX]);
        }
    }

    @Test
    void shouldCatchJumpsIntoThePatch(@TempDir Path folder) throws IOException, InterruptedException {
        String source = """
                    jmp *%r11
                    .balign 32, 0xcc
                probed:
                    incq %rax
                inside:
                    notq %rdx
                    addq $0x777, %r9
                    int3
                """;
        try (ProbeGuest guest = new ProbeGuest()) {
            long pc = ProbeGuest.CODE + 32;
            guest.task.memory().write(ProbeGuest.CODE, ProbeGuest.assemble(folder, source));
            ProbeSite site = guest.site(pc, pc + 3);
            assertThat(ProbeAssembler.assemble(site, ProbeGuest.STUB, ProbeGuest.SCRATCH, ProbeCondition.counting()))
                    .isInstanceOf(ProbePlan.Refused.class);
            long stub =
                    ProbeAssembler.trappingStub(site, ProbeGuest.LOW_STUBS, pc).orElseThrow();
            guest.map(stub & -0x1000L, 0x2000);
            Probe probe = (Probe) ProbeAssembler.assemble(site, stub, ProbeGuest.SCRATCH, ProbeCondition.counting());
            assertThat(probe.closed()).isTrue();
            guest.install(probe);
            guest.task.memory().writeLong(probe.counterAddress(), 5);
            long[] initial = guest.startState(ProbeGuest.CODE, new Random(1));
            initial[Reg.R11] = pc + 3;
            guest.task.setRegisters(initial);
            long[] stop = guest.run();
            assertThat(stop[Reg.RIP]).isEqualTo(pc + 4);
            guest.task.setRegister(Reg.RIP, probe.traps().get(pc + 3));
            long[] end = guest.run();
            assertThat(end[Reg.RAX]).isEqualTo(initial[Reg.RAX]);
            assertThat(end[Reg.RDX]).isEqualTo(~initial[Reg.RDX]);
            assertThat(end[Reg.R9]).isEqualTo(initial[Reg.R9] + 0x777);
            assertThat(guest.task.memory().readLong(probe.counterAddress())).isEqualTo(5);
        }
    }
}
