package dev.eremite.tests.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.RecordReplay;
import dev.eremite.tests.guest.Guest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Code that spins, or is hit by signals while it computes, replays exactly, again and again, in at most three times the
 * time that it took to record; one that takes longer is tried again, once for each guest.
 * {@code -Deremite.tests.repeats=N} changes the number of times, {@code -Deremite.tests.spins} is a pattern of guests' names.
 */
@Tag("slow")
class SpinTest {
    private static final double TIMES_SLOWER = 3;

    @TestFactory
    Stream<DynamicTest> shouldReplayExactlyEveryTime() {
        int repeats = Integer.getInteger("eremite.tests.repeats", 3);
        Pattern chosen = Pattern.compile(System.getProperty("eremite.tests.spins", ".*"));
        return Guest.all().stream()
                .filter(guest ->
                        guest.name().startsWith("spin-") || guest.name().startsWith("hits20-"))
                .filter(guest -> chosen.matcher(guest.name()).matches())
                .map(guest -> DynamicTest.dynamicTest(guest.name(), () -> check(guest, repeats)));
    }

    private static void check(Guest guest, int repeats) {
        List<Double> ratios = new ArrayList<>();
        int slow = 0;
        for (int i = 0; i < repeats; i++) {
            RecordReplay.Outcome outcome = new RecordReplay(guest.name())
                    .within(Duration.ofSeconds(120))
                    .noSlowerThan(TIMES_SLOWER)
                    .check(guest.command());
            assertThat(outcome.recorded().status())
                    .as(outcome.recorded().output())
                    .isEqualTo(guest.status());
            ratios.add(outcome.ratio());
            slow += outcome.slow();
        }
        ratios.sort(null);
        System.out.printf(
                "%s: %d of %d exact; replay takes %.1f times as long as the recording (%.1f to %.1f)%n",
                guest.name(), repeats, repeats, ratios.get(repeats / 2), ratios.getFirst(), ratios.getLast());
        // The machine may take a breath once; what is slow now and then is Eremite's doing.
        assertThat(slow).as("replays that were too slow at first").isLessThanOrEqualTo(1);
    }
}
