package dev.eremite.replay.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.x86.Flow;
import dev.eremite.tracer.x86.Instruction;
import dev.eremite.tracer.x86.InstructionDecoder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Random code, with and without a probe: each single step must look the same to the guest. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ProbeExecutionTest {
    private static final int SNIPPETS = 1500;
    private static final long COUNTER_START = 1000;

    private final Map<String, Integer> refusals = new TreeMap<>();
    private int probed;
    private int visited;

    @BeforeAll
    static void needsTools() {
        assumeTrue(Files.exists(Path.of("/usr/bin/as")), "the assembler is not installed here");
    }

    @Test
    void shouldLookTheSameAtEveryStep(@TempDir Path folder) throws IOException, InterruptedException {
        long seed = Long.getLong("eremite.seed", 4711);
        Random random = new Random(seed);
        byte[] code = ProbeGuest.assemble(folder, new RandomSnippets(random).source(SNIPPETS));
        try (ProbeGuest guest = new ProbeGuest()) {
            guest.task.memory().write(ProbeGuest.CODE, code);
            for (int slot = 0; slot < SNIPPETS; slot++) {
                compareSlot(guest, code, slot, random, "seed %d slot %d".formatted(seed, slot));
            }
        }
        assertThat(probed).as("refused: %s", refusals).isGreaterThan(SNIPPETS / 2);
        assertThat(visited).isGreaterThan(SNIPPETS / 2);
        assertThat(refusals.keySet())
                .allMatch(reason -> reason.startsWith("control enters")
                        || reason.startsWith("the code ends within")
                        || reason.startsWith("a call returns")
                        || reason.startsWith("INTERRUPT"));
    }

    private void compareSlot(ProbeGuest guest, byte[] code, int slot, Random random, String what) {
        long start = ProbeGuest.CODE + (long) slot * RandomSnippets.SLOT;
        byte[] slotCode = new byte[RandomSnippets.SLOT];
        int offset = slot * RandomSnippets.SLOT;
        System.arraycopy(code, offset, slotCode, 0, Math.min(slotCode.length, code.length - offset));
        long dataSeed = random.nextLong();
        long end = endOf(slotCode, start);

        guest.fillData(new Random(dataSeed));
        long[] initial = guest.startState(start, new Random(dataSeed));
        List<long[]> plain = guest.steps(initial, end);
        byte[] plainMemory = guest.memory();
        byte[] plainCode = guest.task.memory().readFully(start, RandomSnippets.SLOT);
        guest.task.memory().write(start, slotCode);

        Set<Long> visitedPcs = new LinkedHashSet<>();
        plain.forEach(state -> visitedPcs.add(state[Reg.RIP]));
        List<Long> candidates = new ArrayList<>(visitedPcs);
        long pc = candidates.get(random.nextInt(candidates.size()));
        ProbePlan plan =
                ProbeAssembler.assemble(guest.site(pc), ProbeGuest.STUB, ProbeGuest.SCRATCH, ProbeCondition.counting());
        if (plan instanceof ProbePlan.Refused(String reason)) {
            refusals.merge(reason.replaceAll("0x[0-9a-f]+", "…"), 1, Integer::sum);
            return;
        }
        Probe probe = (Probe) plan;
        probed++;
        guest.fillData(new Random(dataSeed));
        guest.install(probe);
        guest.task.memory().writeLong(probe.counterAddress(), COUNTER_START);
        follow(guest, probe, plain, initial, end, what);
        assertThat(guest.memory()).as(what).isEqualTo(plainMemory);
        guest.remove(probe);
        assertThat(guest.task.memory().readFully(start, RandomSnippets.SLOT))
                .as(what)
                .isEqualTo(plainCode);
        guest.task.memory().write(start, slotCode);
    }

    /** The first int3 that the slot's straight code reaches. */
    private static long endOf(byte[] code, long start) {
        int at = 0;
        while (true) {
            Instruction instruction = (Instruction) InstructionDecoder.decode(code, at, start + at);
            if (instruction.flow() == Flow.INTERRUPT) {
                return start + at;
            }
            at += instruction.length();
        }
    }

    private void follow(ProbeGuest guest, Probe probe, List<long[]> plain, long[] initial, long end, String what) {
        guest.task.setRegisters(initial);
        int position = 0;
        long finished = 0;
        long[] state = ProbeGuest.visible(initial);
        while (true) {
            long savedRcx = guest.task.memory().readLong(probe.savedRcxAddress());
            long[] view = state;
            if (probe.contains(state[Reg.RIP])) {
                Probe.Normalised normalised =
                        probe.normalise(state, savedRcx).orElseThrow(() -> new AssertionError(what + " lost"));
                view = normalised.registers();
                assertThat(probe.isHit(state[Reg.RIP])).isFalse();
                if (view[Reg.RIP] == probe.pc() && Arrays.equals(view, plain.get(position))) {
                    long counter = guest.task.memory().readLong(probe.counterAddress());
                    long expected = COUNTER_START - finished - (normalised.visitCounted() ? 1 : 0);
                    assertThat(counter)
                            .as("%s stub+%x", what, state[Reg.RIP] - probe.stubAddress())
                            .isEqualTo(expected);
                }
            }
            if (!Arrays.equals(view, plain.get(position))) {
                if (plain.get(position)[Reg.RIP] == probe.pc()) {
                    finished++;
                }
                position++;
                assertThat(position < plain.size() && Arrays.equals(view, plain.get(position)))
                        .as(
                                "%s step %d%n%s%n%s",
                                what,
                                position,
                                ProbeGuest.show(view),
                                ProbeGuest.show(plain.get(Math.min(position, plain.size() - 1))))
                        .isTrue();
            }
            if (state[Reg.RIP] == end) {
                break;
            }
            state = guest.step();
        }
        assertThat(position).as(what).isEqualTo(plain.size() - 1);
        assertThat(guest.task.memory().readLong(probe.counterAddress())).isEqualTo(COUNTER_START - finished);
        visited += finished > 0 ? 1 : 0;
    }
}
