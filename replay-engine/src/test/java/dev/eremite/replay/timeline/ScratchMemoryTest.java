package dev.eremite.replay.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScratchMemoryTest {
    private static final int PAGE = 4096;

    private final ScratchMemory memory = new ScratchMemory();

    @Test
    void shouldReadWhatWasWrittenAndZerosElsewhere() {
        long first = memory.allocate(10);
        long second = memory.allocate(PAGE + 1);
        assertThat(memory.write(first + 3, new byte[] {1, 2})).isTrue();
        assertThat(memory.write(second, new byte[] {9})).isTrue();
        assertThat(memory.read(first + 2, 4)).hasValue(new byte[] {0, 1, 2, 0});
        assertThat(memory.read(second, 2)).hasValue(new byte[] {9, 0});
    }

    @Test
    void shouldEndWhereAnAreaEnds() {
        long area = memory.allocate(1);
        assertThat(memory.read(area + PAGE - 2, 10)).hasValue(new byte[2]);
        assertThat(memory.read(area + PAGE, 1)).isEmpty();
        assertThat(memory.read(area - 1, 1)).isEmpty();
        assertThat(memory.write(area + PAGE - 1, new byte[2])).isFalse();
    }

    @Test
    void shouldGiveNothingBackTwiceAndNotMoreThanThereIs() {
        long area = memory.allocate(32 << 20);
        assertThat(memory.allocate(33 << 20)).isZero();
        assertThat(memory.allocate(0)).isZero();
        assertThat(memory.allocate(Integer.MAX_VALUE)).isZero();
        assertThat(memory.release(area + 1)).isFalse();
        assertThat(memory.release(area)).isTrue();
        assertThat(memory.release(area)).isFalse();
        assertThat(memory.allocate(33 << 20)).isNotZero().isNotEqualTo(area);
        assertThat(memory.read(area, 1)).isEmpty();
    }
}
