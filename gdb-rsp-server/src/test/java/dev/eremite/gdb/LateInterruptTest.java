package dev.eremite.gdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LateInterruptTest {
    private long now = Long.MAX_VALUE - 1;
    private final LateInterrupt late = new LateInterrupt(() -> now);

    private void pass(long milliseconds) {
        now += TimeUnit.MILLISECONDS.toNanos(milliseconds);
    }

    @Test
    void shouldBeGoodForOneMovement() {
        late.stopped(false);
        pass(500);
        late.came();
        pass(900);
        assertThat(late.take()).isTrue();
        assertThat(late.take()).isFalse();
    }

    @Test
    void shouldNotBeKeptForLong() {
        late.stopped(false);
        late.came();
        pass(1000);
        assertThat(late.take()).isFalse();
    }

    @Test
    void shouldNotMindAnInterruptOfAProgramThatStandsStill() {
        late.came();
        assertThat(late.take()).isFalse();
        late.stopped(false);
        pass(1000);
        late.came();
        assertThat(late.take()).isFalse();
    }

    @Test
    void shouldNotKeepOneMoreOfAMovementThatWasInterrupted() {
        late.stopped(true);
        late.obeyed();
        late.came();
        assertThat(late.take()).isFalse();
    }

    @Test
    void shouldKeepOneThatAMovementMissed() {
        late.stopped(true);
        pass(900);
        assertThat(late.take()).isTrue();
        late.stopped(true);
        late.stopped(false);
        assertThat(late.take()).isFalse();
    }
}
