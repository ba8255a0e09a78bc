package dev.eremite.gdb.packet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GdbSignalTest {
    @Test
    void shouldTranslateBothWays() {
        for (int signal = 1; signal <= 64; signal++) {
            // GDB has no number for SIGSTKFLT.
            int expected = signal == 16 ? 0 : signal;
            assertThat(GdbSignal.toLinux(GdbSignal.fromLinux(signal)))
                    .as("signal %d", signal)
                    .isEqualTo(expected);
        }
    }

    @Test
    void shouldKnowTheNumbersThatDiffer() {
        assertThat(GdbSignal.fromLinux(7)).isEqualTo(10);
        assertThat(GdbSignal.fromLinux(17)).isEqualTo(20);
        assertThat(GdbSignal.fromLinux(34)).isEqualTo(46);
        assertThat(GdbSignal.fromLinux(64)).isEqualTo(78);
        assertThat(GdbSignal.toLinux(150)).isZero();
    }
}
