package dev.eremite.tracer.x86;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class FlagLivenessTest {
    private static Optional<List<Long>> zone(String code) {
        byte[] bytes = HexFormat.of().parseHex(code);
        return FlagLiveness.untilOverwritten(
                0, at -> InstructionDecoder.decode(Arrays.copyOf(bytes, bytes.length + 15), (int) at, at));
    }

    @Test
    void shouldEndInLoopsOutOfWhichNoJumpLeads() {
        // jmp .
        assertThat(zone("ebfe")).isEmpty();
        // nop; pause; jmp to the nop
        assertThat(zone("90f390ebfb")).isEmpty();
        // mov %eax,%ebx; jmp to the next; jmp to the mov
        assertThat(zone("89c3eb00ebfa")).isEmpty();
    }

    @Test
    void shouldSeeWhatOverwritesAllFlags() {
        // mov %eax,%ebx; add %eax,%ebx
        assertThat(zone("89c301c3")).hasValueSatisfying(zone -> assertThat(zone).containsExactly(0L, 2L));
        // inc leaves the carry flag; then jc reads it
        assertThat(zone("ffc07200")).isEmpty();
    }

    @Test
    void shouldNameInstructionsInOrder() {
        // mov %eax,(%rbx); jmp to the add behind the trap; int3; add $1,%eax; jmp to the mov
        assertThat(zone("8903eb01cc83c001ebf6"))
                .hasValueSatisfying(zone -> assertThat(zone).containsExactly(0L, 2L, 5L));
    }
}
