package dev.eremite.tests.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.RecordReplay;
import dev.eremite.tests.guest.Guest;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Each guest of guests.tsv: natively with the status expected, then recorded and replayed. */
class GuestMatrixTest {

    @Tag("slow")
    @TestFactory
    Stream<DynamicTest> shouldReplayWhatWasRecorded() {
        return Guest.all().stream()
                .map(guest -> DynamicTest.dynamicTest(guest.name(), () -> {
                    RecordReplay.Outcome outcome = new RecordReplay(guest.name()).check(guest.command());
                    assertThat(outcome.recorded().status()).isEqualTo(guest.status());
                    if (guest.deterministic()) {
                        assertThat(outcome.recorded().output())
                                .isEqualTo(new Command(guest.command()).run().output());
                    }
                }));
    }
}
