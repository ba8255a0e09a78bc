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

/**
 * The recording of a second of a program that does not end by itself.
 *
 * @param guest the program, which first prints {@code begun}
 */
record Endless(Guest guest, EremiteCommand eremite, Path data) {
    private static final int TIME_OUT = 124;
    private static final int KILLED = 137;

    static Endless record(String name, String source, List<String> flags, String... arguments) {
        Guest guest = new Guest(name, source, flags, List.of(arguments), TIME_OUT, false);
        Path data = RecordReplay.newDataFolder("debug-" + name);
        EremiteCommand eremite = new EremiteCommand(data);
        List<String> command = new ArrayList<>(List.of("record", "-q", "--record-timeout", "1", "--"));
        command.addAll(guest.command());
        CommandResult recorded = eremite.run(command.toArray(String[]::new));
        assertThat(recorded.status()).as(recorded.errors()).isEqualTo(TIME_OUT);
        assertThat(recorded.output()).isEqualTo("begun\n");
        return new Endless(guest, eremite, data);
    }

    /** Replays it to where it was killed. */
    Endless replayed() {
        CommandResult replayed = eremite.run("replay", "--autopilot", "-q");
        assertThat(replayed.status()).as(replayed.errors()).isEqualTo(KILLED);
        assertThat(replayed.output()).isEqualTo("begun\n");
        return this;
    }

    /** A session at the beginning of its history, whose end removes the recording. */
    DebugSession debug() {
        return DebugSession.attach(guest, eremite, data);
    }
}
