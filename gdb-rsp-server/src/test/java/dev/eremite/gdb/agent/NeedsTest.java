package dev.eremite.gdb.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.replay.debug.Equality;
import dev.eremite.replay.debug.Equality.OfMemory;
import dev.eremite.replay.debug.Equality.OfRegister;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs are what GDB 13 compiles; registers are numbered from 100 in the results. */
class NeedsTest {
    private static List<Equality> needs(String code) {
        byte[] bytes = HexFormat.of().parseHex(code.replace(" ", ""));
        return new AgentExpression(bytes).needs(number -> number < 16 ? number + 100 : -1);
    }

    @Test
    void shouldFindWordOfStack() {
        // unsigned long i at rbp + 16 - 24
        assertThat(needs("260006 2210 02 22e8 1608 02 1a 24000bde31 2a40 13 27"))
                .containsExactly(new OfMemory(106, -8, 8, 777777));
    }

    @Test
    void shouldFindRegister() {
        assertThat(needs("260005 2a40 24000bde31 2a40 13 27")).containsExactly(new OfRegister(105, 8, 777777));
        assertThat(needs("260005 1620 22ff 1608 13 27")).containsExactly(new OfRegister(105, 4, 0xffff_ffffL));
    }

    @Test
    void shouldFindGlobal() {
        assertThat(needs("234038 19 1620 2407ffffff 13 27"))
                .containsExactly(new OfMemory(OfMemory.ABSOLUTE, 0x4038, 4, 0x7ffffff));
    }

    @Test
    void shouldFindBothSidesOfAnd() {
        // i == 777777 && hits == 777776
        String both = "260006 2210 02 22e8 1608 02 1a 24000bde31 2a40 13 20001a 210031"
                + "234038 1a 24000bde30 2a40 13 20002c 210031 2201 210033 2200 27";
        assertThat(needs(both))
                .containsExactly(new OfMemory(106, -8, 8, 777777), new OfMemory(OfMemory.ABSOLUTE, 0x4038, 8, 777776));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // i > 3
                "260006 2210 02 22e8 1608 02 1a 2203 2a40 2b 15 27",
                // i == 5 || i == 7
                "260005 2205 13 200011 260005 2207 13 200011 2200 210013 2201 27",
                // a signed word that no constant of more bits equals, a byte, rip, a pointer's word
                "260007 19 1620 24ffffffff 13 27",
                "260007 17 2203 13 27",
                "260010 2203 13 27",
                "260007 1a 19 2203 13 27",
                // bad code: an operand is missing, the stack is empty, it never ends
                "2600",
                "13 27",
                "210000",
            })
    void shouldNotClaimWhatIsNotKnown(String code) {
        assertThat(needs(code)).isEmpty();
    }
}
