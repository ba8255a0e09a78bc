package dev.eremite.tests.commandline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.CommandResult;
import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.command.Folders;
import dev.eremite.tests.command.RecordReplay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The disk becomes full while a program is recorded: one clear line and its cure, no program left behind, and a
 * recording that replays to its last whole event; if it has none, nothing is left of it.
 */
@Tag("slow")
class DiskFullTest {
    /** Writes a line now and then among many calls, so that a cut recording has a beginning of its output. */
    private static final String PROGRAM =
            "i=0; while [ $i -lt 2000 ]; do cat /etc/passwd >/dev/null; i=$((i+1)); echo line $i; done";

    private Path data;

    @BeforeAll
    static void build() {
        // Its words about building would be among those of the first recording.
        new Command(List.of(EremiteCommand.launcher().toString(), "--version")).run();
    }

    @BeforeEach
    void makeFolder() {
        assumeTrue(
                new Command(List.of("unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"))
                                .run()
                                .status()
                        == 0,
                "file systems can be mounted");
        data = RecordReplay.newDataFolder("full");
    }

    @AfterEach
    void deleteFolder() {
        if (data != null) {
            Folders.delete(data);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"16k", "500k", "2500k", "3500k", "4500k", "6500k", "9m", "12m"})
    void shouldKeepWhatWasRecordedUntilTheDiskWasFull(String size) throws IOException {
        CommandResult result = inSmallDisk(size, """
                $E record -q -- /bin/sh -c "$P" >$T/recorded 2>$T/errors; echo $? >$T/status
                $E record list >$T/list
                $E replay --autopilot -q >$T/replayed 2>$T/replay-errors; echo $? >$T/replay-status
                $E record dump | grep -c '^#' >$T/events
                find $EREMITE_DATA_DIR/recordings $EREMITE_DATA_DIR/blobs -type f >$T/files 2>/dev/null
                """);
        assertThat(result.errors()).doesNotContain("Exception", "\tat ");
        List<String> errors = lines("errors");
        assertThat(errors).hasSize(2);
        assertThat(errors.getFirst())
                .startsWith("eremite: cannot ")
                .contains("the disk is full")
                .endsWith(" (E200)");
        assertThat(errors.getLast()).startsWith("  Make room, or choose another place with --data-dir");
        assertThat(lines("status")).containsExactly("125");
        assertThat(LeftoverProcesses.of(data.resolve("disk"))).isEmpty();

        List<String> replayErrors = lines("replay-errors");
        assertThat(lines("replay-status")).containsExactly("125");
        if (lines("list").isEmpty()) {
            assertThat(lines("files")).isEmpty();
            assertThat(replayErrors.getFirst())
                    .contains("there are no recordings")
                    .endsWith(" (E205)");
            return;
        }
        assertThat(errors.getLast()).contains("eremite replay ", " shows what was recorded until then.");
        String events = lines("events").getFirst();
        assertThat(lines("list")).hasSize(2);
        assertThat(lines("list").getLast()).containsPattern("cut short +" + events + " ");
        assertThat(replayErrors).hasSize(2);
        assertThat(replayErrors.getFirst())
                .endsWith(" is cut short after event " + (Long.parseLong(events) - 1) + " (E208)");
        // The last line may have been printed without its event having found room.
        String recorded = Files.readString(data.resolve("recorded"));
        assertThat(recorded).startsWith(Files.readString(data.resolve("replayed")));
    }

    @Test
    void shouldRecordAgainAfterRoomWasMade() throws IOException {
        inSmallDisk("6500k", """
                $E record -q -- /bin/sh -c "$P" >/dev/null 2>$T/errors
                $E record clean --incomplete -q
                $E record -q -- /bin/echo again >/dev/null 2>>$T/replay-errors
                $E replay --autopilot >$T/replayed 2>>$T/replay-errors; echo $? >$T/replay-status
                """);
        assertThat(lines("errors")).hasSize(2);
        assertThat(lines("replay-errors")).isEmpty();
        assertThat(lines("replayed")).containsExactly("again");
        assertThat(lines("replay-status")).containsExactly("0");
    }

    private List<String> lines(String name) throws IOException {
        return Files.readAllLines(data.resolve(name));
    }

    /** Runs a script whose data folder is on a disk of that size; its files {@code $T/…} are elsewhere. */
    private CommandResult inSmallDisk(String size, String script) throws IOException {
        Path disk = Files.createDirectory(data.resolve("disk"));
        String mounted = "mount -t tmpfs -o size=" + size + " none $EREMITE_DATA_DIR || exit\n" + script;
        return new Command(List.of("unshare", "-m", "/bin/bash", "-c", mounted))
                .with("EREMITE_DATA_DIR", disk.toString())
                .with("E", EremiteCommand.launcher().toString())
                .with("P", PROGRAM)
                .with("T", data.toString())
                .within(java.time.Duration.ofSeconds(120))
                .run();
    }
}
