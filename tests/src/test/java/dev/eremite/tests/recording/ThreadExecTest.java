package dev.eremite.tests.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.RecordReplay;
import dev.eremite.tests.guest.Guest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A thread that calls execve takes over its leader's id. On busy processors it often has done so before the engine has seen
 * the leader's end; here that can happen thirty times in a recording.
 */
@Tag("slow")
class ThreadExecTest {
    private static final int RECORDINGS = 3;

    @Test
    void shouldRecordThreadsThatTakeOverTheirLeadersIdOnBusyProcessors() {
        List<Process> rivals = new ArrayList<>();
        try {
            for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
                rivals.add(new Command(List.of("bash", "-c", "while :; do :; done"))
                        .start(Path.of("/dev/null"), Path.of("/dev/null")));
            }
            Guest guest = Guest.named("threadexec");
            for (int i = 0; i < RECORDINGS; i++) {
                RecordReplay.Outcome outcome = new RecordReplay("threadexec")
                        .within(Duration.ofSeconds(60))
                        .check(guest.command());
                assertThat(outcome.recorded().status()).isEqualTo(7);
                assertThat(outcome.recorded().output()).isEqualTo("process is still its leader: 1\n");
            }
        } finally {
            rivals.forEach(Command::endTree);
        }
    }
}
