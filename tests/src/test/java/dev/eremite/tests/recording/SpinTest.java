package dev.eremite.tests.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.RecordReplay;
import dev.eremite.tests.guest.Guest;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Code that spins, or is hit by signals while it computes, replays exactly, again and again, in at most three times the
 * time that it took to record. {@code -Deremite.tests.repeats=N} changes the number of times.
 */
@Tag("slow")
class SpinTest {
    private static final int TIMES_SLOWER = 3;

    @TestFactory
    Stream<DynamicTest> shouldReplayExactlyEveryTime() {
        int repeats = Integer.getInteger("eremite.tests.repeats", 2);
        return Guest.all().stream()
                .filter(guest ->
                        guest.name().startsWith("spin-") || guest.name().startsWith("hits20-"))
                .map(guest -> DynamicTest.dynamicTest(guest.name(), () -> {
                    for (int i = 0; i < repeats; i++) {
                        check(guest);
                    }
                }));
    }

    private static void check(Guest guest) {
        RecordReplay.Outcome outcome =
                new RecordReplay(guest.name()).within(Duration.ofSeconds(60)).check(guest.command());
        assertThat(outcome.recorded().status()).as(outcome.recorded().output()).isEqualTo(guest.status());
        assertThat(outcome.replayed().elapsed())
                .as(
                        "replay of %s, recorded in %s",
                        guest.name(), outcome.recorded().elapsed())
                .isLessThanOrEqualTo(outcome.recorded().elapsed().multipliedBy(TIMES_SLOWER));
    }
}
