package dev.eremite.replay.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eremite.tracer.linux.Reg;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProbeRefusalTest {
    private static final long PC = 0x5_0000_0000L;
    private static final long STUB = 0x5_1000_0000L;
    private static final long SCRATCH = 0x6000_0000L;

    private static ProbePlan plan(String hex, long stub, long... targets) {
        byte[] code = HexFormat.of().parseHex(hex);
        byte[] window = Arrays.copyOf(code, 320);
        Arrays.fill(window, code.length, window.length, (byte) 0x90);
        ProbeSite site = new ProbeSite(window, PC, PC, targets);
        return ProbeAssembler.assemble(site, stub, SCRATCH, ProbeCondition.counting());
    }

    @ParameterizedTest
    @CsvSource({
        "0f05, SYSCALL",
        "48ffc00f05, SYSCALL",
        "cc, INTERRUPT",
        "0f31, TIME_STAMP",
        "0fa2, CPU_IDENTITY",
        "0fc7f0, NONDETERMINISTIC",
        "c7f800000000, TRANSACTION",
        "0f0b, UNDEFINED",
        "d9c0, x87",
        "06, undefined",
        "ffd0, a call returns",
        "c348ffc0, other code follows",
        "eb0048ffc0, other code follows",
        "678b0500000000, eip",
        "ff5424089090, rsp",
        "48ffc048ffc0ebfb, enters",
        "48ffc048ffc075fc, enters",
        "0f, cut",
        "9090909075fc, enters"
    })
    void shouldRefuseWithAReason(String hex, String reason) {
        byte[] code = HexFormat.of().parseHex(hex);
        ProbePlan plan = hex.equals("0f")
                ? ProbeAssembler.assemble(new ProbeSite(code, PC, PC), STUB, SCRATCH, ProbeCondition.counting())
                : plan(hex, STUB);
        assertThat(plan).isInstanceOf(ProbePlan.Refused.class);
        assertThat(((ProbePlan.Refused) plan).reason()).contains(reason);
    }

    @Test
    void shouldRefuseStubsThatAreTooFar() {
        assertThat(plan("48ffc048ffc0", PC + (3L << 30))).isInstanceOf(ProbePlan.Refused.class);
        // within reach of the patch, but not of what the instruction refers to
        assertThat(plan("488b05000000c0", PC + 0x6000_0000L)).isInstanceOf(ProbePlan.Refused.class);
    }

    @Test
    void shouldRefuseKnownEntriesInside() {
        assertThat(plan("48ffc048ffc0", STUB)).isInstanceOf(Probe.class);
        assertThat(plan("48ffc048ffc0", STUB, PC, PC + 6)).isInstanceOf(Probe.class);
        assertThat(plan("48ffc048ffc0", STUB, PC + 3)).isInstanceOf(ProbePlan.Refused.class);
    }

    @Test
    void shouldSeeBranchesFromBefore() {
        // jmp +3; nops; then inc rax; inc rax with a target at its second instruction
        byte[] window = new byte[400];
        Arrays.fill(window, (byte) 0x90);
        byte[] code = HexFormat.of().parseHex("48ffc048ffc0");
        System.arraycopy(code, 0, window, 100, code.length);
        ProbeSite open = new ProbeSite(window, PC, PC + 100);
        assertThat(ProbeAssembler.assemble(open, STUB, SCRATCH, ProbeCondition.counting()))
                .isInstanceOf(Probe.class);
        window[50] = 0x74;
        window[51] = 103 - 52;
        assertThat(ProbeAssembler.assemble(open, STUB, SCRATCH, ProbeCondition.counting()))
                .isInstanceOf(ProbePlan.Refused.class);
    }

    @Test
    void shouldAcceptAnEndOfCodeBeforePadding() {
        byte[] window = new byte[64];
        Arrays.fill(window, (byte) 0x90);
        window[0] = (byte) 0xc3;
        ProbeSite site = new ProbeSite(window, PC, PC);
        assertThat(ProbeAssembler.assemble(site, STUB, SCRATCH, ProbeCondition.counting()))
                .isInstanceOf(Probe.class);
    }

    @Test
    void shouldRejectImpossibleRequests() {
        ProbeSite site = new ProbeSite(new byte[64], PC, PC);
        assertThatThrownBy(() -> ProbeAssembler.assemble(site, STUB, 0x8000_0000L, ProbeCondition.counting()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ProbeAssembler.assemble(
                        site, STUB, SCRATCH, ProbeCondition.comparing(new Comparison.RegisterEquals(Reg.EFLAGS, 1))))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
