package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.CommandResult;
import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.command.RecordReplay;
import dev.eremite.tests.guest.Guest;
import dev.eremite.tests.mi.DebugSession;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs that do not end by themselves: where their recording ends, one sees why. */
@Tag("slow")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TimeOutTest {
    private static final int TIME_OUT = 124;

    private static DebugSession afterTimeOut(String... arguments) {
        Guest guest =
                new Guest("deadlock", "deadlock.c", List.of("-g", "-pthread"), List.of(arguments), TIME_OUT, false);
        Path data = RecordReplay.newDataFolder("debug-deadlock");
        EremiteCommand eremite = new EremiteCommand(data);
        List<String> command = new ArrayList<>(List.of("record", "-q", "--record-timeout", "1", "--"));
        command.addAll(guest.command());
        CommandResult recorded = eremite.run(command.toArray(String[]::new));
        assertThat(recorded.status()).as(recorded.errors()).isEqualTo(TIME_OUT);
        assertThat(recorded.output()).isEqualTo("begun\n");
        CommandResult replayed = eremite.run("replay", "--autopilot", "-q");
        assertThat(replayed.status()).as(replayed.errors()).isEqualTo(137);
        assertThat(replayed.output()).isEqualTo("begun\n");
        return DebugSession.attach(guest, eremite, data);
    }

    @Test
    void shouldShowAllThreadsOfDeadlock() {
        try (DebugSession session = afterTimeOut()) {
            assertThat(session.runToEnd().historyEnd()).isTrue();
            String threads = session.gdb().console("thread apply all bt");
            assertThat(threads).contains("in forwards (", "in backwards (", "in main (");
            session.gdb().console("break forwards");
            session.reverse();
            assertThat(session.backtrace()).startsWith("forwards");
        }
    }

    @Test
    void shouldStandInLoopThatDoesNotEnd() {
        try (DebugSession session = afterTimeOut("turn")) {
            assertThat(session.runToEnd().historyEnd()).isTrue();
            assertThat(session.backtrace()).startsWith("turn", "main");
            assertThat(session.integer("rounds")).isGreaterThan(1000);
            long rounds = session.integer("rounds");
            session.watchLocation("rounds");
            session.reverse();
            assertThat(session.integer("rounds")).isBetween(rounds - 1, rounds);
        }
    }
}
