package dev.eremite.tracer.x86;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.x86.MemoryOperand.Access;
import java.util.HexFormat;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstructionDecoderTest {
    private static final long ADDRESS = 0x40_1000;

    private static Instruction decode(String hex) {
        byte[] code = HexFormat.of().parseHex(hex);
        return (Instruction) InstructionDecoder.decode(code, 0, ADDRESS);
    }

    @ParameterizedTest
    @CsvSource({
        "c3, RETURN",
        "0f05, SYSCALL",
        "cc, INTERRUPT",
        "cd80, INTERRUPT",
        "0f31, TIME_STAMP",
        "0f01f9, TIME_STAMP",
        "0fa2, CPU_IDENTITY",
        "ffe0, INDIRECT_JUMP",
        "41ffd3, INDIRECT_CALL",
        "ff2500000000, INDIRECT_JUMP",
        "e8fbffffff, CALL",
        "ebfe, JUMP",
        "74fe, CONDITIONAL_JUMP",
        "0f8400000000, CONDITIONAL_JUMP",
        "e2fe, COUNTED_JUMP",
        "e3fe, COUNTED_JUMP",
        "c7f800000000, TRANSACTION",
        "0fc7f0, NONDETERMINISTIC",
        "f30fc7f8, NONDETERMINISTIC",
        "0f01d0, NONDETERMINISTIC",
        "0f0b, UNDEFINED",
        "f4, PRIVILEGED",
        "cf, FAR_TRANSFER",
        "90, SEQUENTIAL"
    })
    void shouldClassifyControlFlow(String hex, Flow flow) {
        assertThat(decode(hex).flow()).isEqualTo(flow);
    }

    @ParameterizedTest
    @CsvSource({
        "06",
        "48",
        "0fff",
        "62",
        "82c000",
        "d5",
        "8dc0",
        "feff",
        "ffff",
        "0f0400",
        "66c5f877",
        "c4e07700",
        "66eb00",
        "2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e90",
        "62f1000800",
        "0f"
    })
    void shouldRejectWhatIsNoInstruction(String hex) {
        byte[] code = HexFormat.of().parseHex(hex);
        assertThat(InstructionDecoder.decode(code, 0, ADDRESS)).isInstanceOf(Decoded.NotDecodable.class);
    }

    @ParameterizedTest
    @CsvSource({
        "488b4708, 8, LOAD", "488907, 8, STORE", "8807, 1, STORE", "663b07, 2, LOAD", "3907, 4, LOAD",
        "0107, 4, STORE", "0fb607, 1, LOAD", "f20f1007, 8, LOAD", "f30f1107, 4, STORE", "0f2907, 16, STORE",
        "c5fd6f07, 32, LOAD", "62f17c481007, 64, LOAD", "488d07, 0, NONE", "0f1f07, 0, NONE", "f00fb10f, 4, STORE",
        "48ff07, 8, STORE", "ff27, 8, LOAD", "f70701000000, 4, LOAD", "f717, 4, STORE", "0f9407, 1, STORE",
        "db2f, 10, LOAD", "dd1f, 8, STORE", "a10000000000000000, 4, LOAD", "88050000000000, 1, STORE"
    })
    void shouldKnowWidthAndAccess(String hex, int width, Access access) {
        MemoryOperand memory = decode(hex).memory().orElseThrow();
        assertThat(memory.width()).isEqualTo(width);
        assertThat(memory.access()).isEqualTo(access);
    }

    @Test
    void shouldComputeEffectiveAddresses() {
        long[] registers = new long[Reg.COUNT];
        registers[Reg.RBX] = 0x1000;
        registers[Reg.R9] = 0x20;
        registers[Reg.RSP] = 0x7fff_0000_0000L;
        registers[Reg.R12] = 0x5000;
        registers[Reg.FS_BASE] = 0x7f00_0000_0000L;
        // mov rax,[rbx+r9*8+0x10]
        assertThat(decode("4a8b44cb10").effectiveAddress(registers)).hasValue(0x1110);
        // mov rax,[rsp-8]
        assertThat(decode("488b4424f8").effectiveAddress(registers)).hasValue(0x7fff_0000_0000L - 8);
        // mov rax,[r12]
        assertThat(decode("498b0424").effectiveAddress(registers)).hasValue(0x5000);
        // mov rax,fs:[0x28]
        assertThat(decode("64488b042528000000").effectiveAddress(registers)).hasValue(0x7f00_0000_0028L);
        // mov eax,[rip+0x100]
        assertThat(decode("8b0500010000").effectiveAddress(registers)).hasValue(ADDRESS + 6 + 0x100);
        // mov eax,[ebx-0x2000]
        assertThat(decode("678b8300e0ffff").effectiveAddress(registers)).hasValue(0xffff_f000L);
        // vpgatherdd xmm2,[rax+xmm1*4],xmm3; bt [rax],rcx
        assertThat(decode("c4e261901488").effectiveAddress(registers)).isEmpty();
        assertThat(decode("480fa308").effectiveAddress(registers)).isEqualTo(OptionalLong.empty());
        assertThat(decode("4889d8").effectiveAddress(registers)).isEmpty();
    }

    @Test
    void shouldNeverThrow() {
        long seed = 20_260_101;
        Random random = new Random(seed);
        byte[] code = new byte[24];
        for (int round = 0; round < 2_000_000; round++) {
            random.nextBytes(code);
            int limit = random.nextInt(code.length + 1);
            int offset = limit == 0 ? 0 : random.nextInt(limit);
            Decoded decoded = InstructionDecoder.decode(code, offset, limit, ADDRESS);
            if (decoded instanceof Instruction instruction) {
                assertThat(offset + instruction.length())
                        .as("seed %d round %d", seed, round)
                        .isLessThanOrEqualTo(limit);
            }
        }
    }
}
