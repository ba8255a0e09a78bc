package dev.eremite.gdb.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class AgentExpressionTest {
    private static final AgentMachine MACHINE = new AgentMachine() {
        @Override
        public long register(int number) {
            return 0x1122334455667788L + number;
        }

        @Override
        public byte[] read(long address, int length) {
            byte[] bytes = new byte[address == 0 ? 0 : length];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (0x81 + i);
            }
            return bytes;
        }
    };

    private static long evaluate(String code) {
        return new AgentExpression(HexFormat.of().parseHex(code.replace(" ", ""))).evaluate(MACHINE);
    }

    @ParameterizedTest(name = "{2}")
    @CsvSource({
        "2205 2203 02 27, 8, add",
        "2205 2203 03 27, 2, sub",
        "2205 2203 04 27, 15, mul",
        "22f9 1608 2202 05 27, -3, div_signed",
        "22f9 1608 2202 06 27, 9223372036854775804, div_unsigned",
        "22f9 1608 2202 07 27, -1, rem_signed",
        "22f9 1608 2202 08 27, 1, rem_unsigned",
        "2201 2204 09 27, 16, lsh",
        "2201 2240 09 27, 0, lsh by the width",
        "22f0 1608 2204 0a 27, -1, rsh_signed",
        "22f0 1608 223f 0b 27, 1, rsh_unsigned",
        "2200 0e 27, 1, log_not",
        "220c 220a 0f 27, 8, bit_and",
        "220c 220a 10 27, 14, bit_or",
        "220c 220a 11 27, 6, bit_xor",
        "2200 12 27, -1, bit_not",
        "2203 2203 13 27, 1, equal",
        "22ff 1608 2201 14 27, 1, less_signed",
        "22ff 1608 2201 15 27, 0, less_unsigned",
        "2280 1608 27, -128, ext",
        "22ff 1608 2a10 27, 65535, zero_ext",
        "2201 17 27, 129, ref8",
        "2201 18 27, 33409, ref16",
        "2201 19 27, 2223211137, ref32",
        "2201 1a 27, -8608764254683430271, ref64",
        "230102 27, 258, const16",
        "2401020304 27, 16909060, const32",
        "250102030405060708 27, 72623859790382856, const64",
        "260010 27, 1234605616436508568, reg",
        "2201 200008 2200 0e 2207 27, 7, if_goto taken",
        "2200 200009 2207 27 ffff 2208 27, 7, if_goto not taken",
        "210005 ffff 2209 27, 9, goto",
        "2204 28 02 27, 8, dup",
        "2204 2205 29 27, 4, pop",
        "2204 2205 2b 27, 4, swap",
        "2204 2205 2206 3202 27, 4, pick",
        "2201 2202 2203 33 27, 2, rot leaves the second on top",
        "2201 2202 2203 33 29 29 27, 3, rot puts the top below",
    })
    void shouldEvaluate(String code, long expected, String name) {
        assertThat(evaluate(code)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource({
        "2201 2200 05 27, division by zero",
        "2200 17 27, not mapped",
        "02 27, underflow",
        "2201, ends without",
        "ff, unsupported",
        "01, unsupported",
        "210000, more than",
        "2201 210002 27, overflow",
        "21ffff, jump",
        "27, underflow",
    })
    void shouldRefuse(String code, String message) {
        String endless = code.equals("2201 210002 27") ? "2201 210000" : code;
        assertThatThrownBy(() -> evaluate(endless))
                .isInstanceOf(AgentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldEndWithAnyCode() {
        long seed = 7;
        Random random = new Random(seed);
        for (int round = 0; round < 20_000; round++) {
            byte[] code = new byte[random.nextInt(24)];
            for (int i = 0; i < code.length; i++) {
                code[i] = (byte) random.nextInt(0x35);
            }
            try {
                new AgentExpression(code).evaluate(MACHINE);
            } catch (AgentException e) {
                assertThat(e).as("seed %d round %d", seed, round).hasMessageMatching(".+");
            }
        }
    }
}
