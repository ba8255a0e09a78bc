package dev.eremite.tests.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.CommandResult;
import dev.eremite.tests.guest.Guest;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The guests themselves, without Eremite: what guests.tsv says of them is true, so it can be asked of a recording. */
class NativeGuestTest {
    @TestFactory
    Stream<DynamicTest> shouldEndWithTheStatusOfTheTable() {
        return Guest.all().stream()
                .map(guest -> DynamicTest.dynamicTest(guest.name(), () -> {
                    CommandResult first = new Command(guest.command()).run();
                    assertThat(first.status())
                            .as(first.output() + first.errors())
                            .isEqualTo(guest.status());
                    if (guest.deterministic() && first.elapsed().toMillis() < 500) {
                        CommandResult second = new Command(guest.command()).run();
                        assertThat(first.differenceTo(second)).isEmpty();
                    }
                }));
    }

    @Test
    void shouldHaveUniqueNames() {
        List<Guest> guests = Guest.all();
        Set<String> names = guests.stream().map(Guest::name).collect(Collectors.toSet());
        assertThat(names).hasSameSizeAs(guests);
    }
}
