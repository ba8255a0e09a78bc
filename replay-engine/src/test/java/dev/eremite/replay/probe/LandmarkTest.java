package dev.eremite.replay.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.eremite.replay.event.Landmark;
import dev.eremite.replay.probe.LandmarkChoice.Telling;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.x86.Instruction;
import dev.eremite.tracer.x86.InstructionDecoder;
import java.io.IOException;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A loop is interrupted anywhere, a landmark is chosen, and a second run finds the same state by it. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LandmarkTest {
    private static final int WINDOW = 120;

    @TempDir
    Path folder;

    @BeforeAll
    static void needsTools() {
        assumeTrue(Files.exists(Path.of("/usr/bin/as")), "the assembler is not installed here");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // a counter in a register
                "1: incq %rax\n addq %rax, %rdx\n testq %r9, %r9\n je 1b\n int3\n",
                // a counter in memory, as without optimisation
                "1: incq 0x10(%rbx)\n movl 0x40(%rbx), %eax\n testl %eax, %eax\n je 1b\n int3\n",
                // on the stack, with a call
                "1: call f\n cmpl $0, 0x40(%rbx)\n je 1b\n int3\n f: incl -4(%rsp)\n incl 0x20(%rsp)\n ret\n",
                // nested loops whose inner one starts again
                "1: incq 0x10(%rbx)\n movl $7, %ecx\n 2: rolq $3, %rax\n decl %ecx\n jnz 2b\n testq %r9, %r9\n je 1b\n"
                        + " int3\n",
                // the telling values take turns
                "1: addq $8, %rsi\n andq $-0x81, %rsi\n incl (%rsi)\n addl %ebp, (%rsi)\n jmp 1b\n int3\n",
                // string instructions
                "1: incq (%rbx)\n movq %rbx, %rsi\n leaq 0x400(%rbx), %rdi\n movl $3, %ecx\n rep movsq\n jmp 1b\n"
            })
    void shouldFindTheStateAgain(String source) throws IOException, InterruptedException {
        try (ProbeGuest guest = new ProbeGuest()) {
            guest.task.memory().write(ProbeGuest.CODE, ProbeGuest.assemble(folder, source));
            for (int round = 0; round < 5; round++) {
                long[] initial = start(guest);
                List<Observation> window = interruptedWindow(guest, 2_000_000L * (round + 1));
                LandmarkChoice choice = LandmarkChooser.choose(
                                window, pc -> plan(guest, pc, List.of()) instanceof Probe)
                        .orElseThrow();
                assertThat(choice.telling()).isEqualTo(Telling.APART);
                while (guest.task.register(Reg.RIP) != choice.pc()) {
                    guest.step();
                }
                long[] state = ProbeGuest.visible(guest.task.registers());
                byte[] memory = guest.memory();
                Landmark landmark = LandmarkChooser.landmark(choice, state, guest::word, 0);

                assertThat(start(guest)).isEqualTo(initial);
                int stops = search(guest, choice.pc(), landmark);
                assertThat(stops).isLessThan(40);
                assertThat(guest.memory()).isEqualTo(memory);
            }
        }
    }

    @Test
    void shouldRecogniseASpin() throws IOException, InterruptedException {
        String source = "1: movl 0x40(%rbx), %eax\n pause\n movq %rax, 0x20(%rbx)\n testl %eax, %eax\n je 1b\n int3\n";
        try (ProbeGuest guest = new ProbeGuest()) {
            guest.task.memory().write(ProbeGuest.CODE, ProbeGuest.assemble(folder, source));
            start(guest);
            LandmarkChoice choice = LandmarkChooser.choose(interruptedWindow(guest, 1_000_000), pc -> true)
                    .orElseThrow();
            assertThat(choice.telling()).isEqualTo(Telling.SAME_STATE);
            assertThat(choice.registers()).isEmpty();
            assertThat(choice.words()).isEmpty();
        }
    }

    @Test
    void shouldNameWordsByAddressOnceTheyAreUnreadable() {
        long[] registers = new long[Reg.COUNT];
        registers[Reg.RBP] = 0x7000_1000L;
        Landmark landmark = new Landmark(registers, List.of(new Landmark.Word(0x7000_0f00L, 5)), 0);
        LandmarkSearch search = new LandmarkSearch(landmark);
        assertThat(search.learn(registers, () -> new long[0], address -> OptionalLong.of(4)))
                .isTrue();
        assertThat(search.condition().comparisons())
                .containsExactly(new Comparison.MemoryEquals(Reg.RBP, -0x100, Long.BYTES, 5));
        assertThat(search.wordUnreadable()).isTrue();
        assertThat(search.condition().comparisons())
                .containsExactly(
                        new Comparison.MemoryEquals(Comparison.MemoryEquals.ABSOLUTE, 0x7000_0f00L, Long.BYTES, 5));
        assertThat(search.wordUnreadable()).isFalse();
    }

    @Test
    void shouldSayThatStraightCodeHasNoLoop() throws IOException, InterruptedException {
        try (ProbeGuest guest = new ProbeGuest()) {
            guest.task
                    .memory()
                    .write(ProbeGuest.CODE, ProbeGuest.assemble(folder, ".rept 300\n incq %rax\n .endr\n int3\n"));
            start(guest);
            LandmarkChoice choice =
                    LandmarkChooser.choose(window(guest), pc -> true).orElseThrow();
            assertThat(choice.telling()).isEqualTo(Telling.ONCE);
            assertThat(LandmarkChooser.choose(List.of(), pc -> true)).isEmpty();
        }
    }

    private static long[] start(ProbeGuest guest) {
        guest.fillData(new Random(5));
        long[] initial = guest.startState(ProbeGuest.CODE, new Random(5));
        initial[Reg.R9] = 0;
        guest.task.memory().writeLong(ProbeGuest.DATA + 0x140, 0);
        guest.task.setRegisters(initial);
        return initial;
    }

    private static List<Observation> interruptedWindow(ProbeGuest guest, long nanos) {
        guest.runFor(nanos);
        return window(guest);
    }

    private static List<Observation> window(ProbeGuest guest) {
        List<Observation> window = new ArrayList<>();
        for (int i = 0; i < WINDOW; i++) {
            long[] state = ProbeGuest.visible(guest.task.registers());
            byte[] code = guest.task.memory().readFully(state[Reg.RIP], InstructionDecoder.MAX_LENGTH);
            Instruction instruction = (Instruction) InstructionDecoder.decode(code, 0, state[Reg.RIP]);
            window.add(Observation.of(state, instruction, guest::word));
            guest.step();
        }
        return window;
    }

    private static ProbePlan plan(ProbeGuest guest, long pc, List<Comparison> comparisons) {
        return ProbeAssembler.assemble(
                guest.site(pc), ProbeGuest.STUB, ProbeGuest.SCRATCH, new ProbeCondition(comparisons, false));
    }

    /** Leaves the guest at the landmark; returns how many stops it took. */
    private static int search(ProbeGuest guest, long pc, Landmark landmark) {
        LandmarkSearch search = new LandmarkSearch(landmark);
        int stops = 0;
        long[] view = null;
        while (true) {
            Probe probe = (Probe) plan(guest, pc, search.condition().comparisons());
            guest.install(probe);
            if (view != null) {
                // behind the visit that was the last false stop
                view[Reg.RIP] = probe.relocated(pc).orElseThrow();
                guest.task.setRegisters(view);
            }
            do {
                long[] stop = guest.run();
                assertThat(probe.isHit(stop[Reg.RIP])).isTrue();
                stops++;
                view = probe.normalise(stop, guest.task.memory().readLong(probe.savedRcxAddress()))
                        .orElseThrow()
                        .registers();
            } while (!search.matches(view, guest::word) && !search.learn(view, () -> new long[0], guest::word));
            guest.remove(probe);
            if (search.matches(view, guest::word)) {
                guest.task.setRegisters(view);
                return stops;
            }
        }
    }
}
