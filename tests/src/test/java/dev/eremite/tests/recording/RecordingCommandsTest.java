package dev.eremite.tests.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.CommandResult;
import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.command.Folders;
import dev.eremite.tests.command.RecordReplay;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The verbs that deal with recordings, and with which status the commands end. */
class RecordingCommandsTest {
    private Path data;
    private EremiteCommand eremite;

    @BeforeEach
    void makeDataFolder() {
        data = RecordReplay.newDataFolder("commands");
        eremite = new EremiteCommand(data);
    }

    @AfterEach
    void deleteDataFolder() {
        Folders.delete(data);
    }

    private CommandResult shell(String script) {
        return eremite.run("record", "-q", "--", "/bin/sh", "-c", script);
    }

    @Test
    void shouldEndAsTheGuestDoes() {
        assertThat(shell("exit 7").status()).isEqualTo(7);
        assertThat(eremite.replay("latest").status()).isEqualTo(7);
        assertThat(shell("kill -TERM $$").status()).isEqualTo(128 + 15);
        assertThat(eremite.replay("latest").status()).isEqualTo(128 + 15);
    }

    @Test
    void shouldTellItsOwnFailuresByStatus() {
        assertThat(eremite.run("record", "-q", "--", "/nowhere/program").status())
                .isEqualTo(127);
        assertThat(eremite.run("record", "-q", "--", data.toString()).status()).isEqualTo(126);
        assertThat(eremite.run("record", "--nonsense", "--", "/bin/true").status())
                .isEqualTo(2);
        assertThat(eremite.replay("nothing").status()).isEqualTo(125);
        assertThat(eremite.run("record", "list").output()).isEmpty();
        CommandResult late =
                eremite.run("record", "-q", "--record-timeout", "0.3", "--", "/bin/sh", "-c", "echo begun; sleep 60");
        assertThat(late.status()).isEqualTo(124);
        assertThat(eremite.replay("latest").output()).isEqualTo("begun\n");
    }

    @Test
    void shouldListShowDumpAndRemove() {
        assertThat(shell("echo one").status()).isZero();
        assertThat(shell("echo two; exit 3").status()).isEqualTo(3);

        CommandResult listed = eremite.run("record", "list");
        assertThat(listed.output().lines()).hasSize(3);
        assertThat(listed.output()).contains("/bin/sh -c echo one", "/bin/sh -c echo two; exit 3");
        String first = listed.output().lines().skip(1).findFirst().orElseThrow().split(" ")[0];

        assertThat(eremite.replay(first).output()).isEqualTo("one\n");
        CommandResult shown = eremite.run("record", "show", "latest");
        assertThat(shown.output()).contains("state       complete", "status      3");
        String[] version = eremite.run("--version").output().strip().split(" ");
        assertThat(shown.output()).contains("eremite     " + version[1]);
        CommandResult dumped = eremite.run("record", "dump", first);
        assertThat(dumped.output()).startsWith("#0 ").contains("write(1, ", "exit_group(0)");
        assertThat(eremite.run("record", "dump", first, "--events", "2..4")
                        .output()
                        .lines())
                .hasSize(3);

        assertThat(eremite.run("record", "rm", first).status()).isZero();
        assertThat(eremite.run("record", "show", first).status()).isEqualTo(125);
        assertThat(eremite.replay("latest").output()).isEqualTo("two\n");
    }

    @Test
    void shouldCountWhatWasRecorded() {
        CommandResult recorded = eremite.run("record", "--stats", "--", "/bin/true");
        assertThat(recorded.status()).isZero();
        assertThat(recorded.errors())
                .containsPattern("\\d+ events, \\d+ stops, [\\d,]+ bytes of log, \\d+\\.\\d+ s")
                .containsPattern("\\d+ calls, [\\d,]+ bytes of memory")
                .containsPattern("1 programs, ")
                .containsPattern("1 ends of tasks, ")
                .containsPattern("\\d+ files, [\\d,]+ bytes");
    }
}
