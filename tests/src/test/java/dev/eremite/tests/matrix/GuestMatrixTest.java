package dev.eremite.tests.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.RecordReplay;
import dev.eremite.tests.guest.Guest;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Each guest of guests.tsv: natively with the status expected, then recorded and replayed. */
class GuestMatrixTest {
    /** Guests that cannot be recorded yet, by the beginning of their names, and why; skipped with that reason. */
    private static final Map<String, String> AWAITED = Map.of(
            "itimer", "signals that land in a computation need landmarks",
            "sigthreads", "signals that land in a computation need landmarks",
            "spin-", "a spinning thread must be preempted at a landmark",
            "hits20-", "signals that land in a computation need landmarks",
            "altstack", "the stack's growth below its mapping is not rebuilt",
            "mappings", "writes by pwrite do not show in a shared mapping of the file",
            "robust", "the kernel's mark in a dead process's robust mutex is not replayed");

    @Tag("slow")
    @TestFactory
    Stream<DynamicTest> shouldReplayWhatWasRecorded() {
        return Guest.all().stream()
                .map(guest -> DynamicTest.dynamicTest(guest.name(), () -> {
                    AWAITED.forEach((name, reason) -> assumeFalse(guest.name().startsWith(name), reason));
                    RecordReplay.Outcome outcome = new RecordReplay(guest.name()).check(guest.command());
                    assertThat(outcome.recorded().status()).isEqualTo(guest.status());
                    if (guest.deterministic()) {
                        assertThat(outcome.recorded().output())
                                .isEqualTo(new Command(guest.command()).run().output());
                    }
                }));
    }
}
