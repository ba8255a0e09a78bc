package dev.eremite.tests.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.CommandResult;
import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.guest.Guest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** ^C while a recording begins: whoever gets it, the program or Eremite, ends by it. */
@Tag("slow")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class InterruptAtStartTest {
    private static final int TIMED_OUT = 124;

    @TempDir
    private Path folder;

    @Test
    void shouldEndByInterruptAtAnyTime() {
        Guest guest = new Guest("endless", "deadlock.c", List.of("-g", "-pthread"), List.of("turn"), 128 + 2, false);
        for (int hundredths = 2; hundredths <= 24; hundredths++) {
            String delay = String.format(Locale.ROOT, "0.%02d", hundredths);
            // Who does not end in five seconds is killed, and the status is another one.
            List<String> command =
                    new ArrayList<>(List.of("env", "--default-signal=INT", "timeout", "-s", "INT", "-k", "5", delay));
            command.addAll(List.of(EremiteCommand.launcher().toString(), "record", "-q", "--"));
            command.addAll(guest.command());
            CommandResult result = new Command(command)
                    .with("EREMITE_DATA_DIR", folder.toString())
                    .within(Duration.ofSeconds(30))
                    .run();
            assertThat(result.status())
                    .as("^C after %s s: %s", delay, result.errors())
                    .isEqualTo(TIMED_OUT);
        }
        CommandResult list = new EremiteCommand(folder).run("record", "list");
        assertThat(list.output()).doesNotContain("cut short", "damaged", "running");
    }
}
