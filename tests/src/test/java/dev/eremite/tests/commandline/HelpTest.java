package dev.eremite.tests.commandline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.CommandResult;
import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.command.Folders;
import dev.eremite.tests.command.RecordReplay;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What somebody meets who has not read anything: help wherever it is asked for, and words for what was mistyped. */
class HelpTest {
    private static final int NARROW = 80;

    private Path data;
    private EremiteCommand eremite;

    @BeforeEach
    void makeDataFolder() {
        data = RecordReplay.newDataFolder("help");
        eremite = new EremiteCommand(data);
    }

    @AfterEach
    void deleteDataFolder() {
        Folders.delete(data);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-h",
                "--help",
                "help",
                "help record",
                "record -h",
                "record help",
                "record list help",
                "help record dump",
                "record clean -h",
                "replay help",
                "replay -h",
                "strace -h",
                "doctor help",
            })
    void shouldHelp(String words) {
        CommandResult result = eremite.run(words.split(" "));
        assertThat(result.status()).as(result.errors()).isZero();
        assertThat(result.output()).startsWith("Usage: eremite ");
        assertThat(result.output().lines()).allMatch(line -> line.length() <= NARROW);
        // A line that was broken by the printer leaves a scrap of its last word or two.
        assertThat(result.output().lines()).noneMatch(line -> line.matches("\\S{1,10}( \\S{1,9})?[^:]"));
    }

    @Test
    void shouldTakeHelpAsTheProgramsWord() {
        CommandResult result = eremite.run("record", "-q", "--", "/bin/echo", "help", "-h");
        assertThat(result.output()).isEqualTo("help -h\n");
    }

    @Test
    void shouldGuessWhatWasMeant() {
        assertThat(eremite.run("recrod", "--", "true").errors())
                .contains("there is no verb recrod (E100)", "did you mean record?");
        assertThat(eremite.run("replay", "--autopilto").errors())
                .contains("there is no option --autopilto (E100)", "did you mean --autopilot?");
        CommandResult verb = eremite.run("record", "lsit");
        assertThat(verb.status()).isEqualTo(127);
        assertThat(verb.errors()).contains("lsit: command not found", "did you mean eremite record list?");
        assertThat(eremite.run("record", "--", "lsit").errors()).doesNotContain("did you mean");
        assertThat(eremite.run("nonsense").errors())
                .contains("no verb nonsense")
                .doesNotContain("did you mean");
    }

    @Test
    void shouldCutTheListAtTheTerminalsEdge() {
        List<String> program =
                List.of("/bin/echo", "a long line of words that no narrow terminal can show in one line");
        assertThat(eremite.record(program).status()).isZero();
        assertThat(eremite.run("record", "list").output()).contains("can show in one line\n");
        String launcher = EremiteCommand.launcher().toString();
        CommandResult seen = new dev.eremite.tests.command.Command(
                        List.of("script", "-qec", "stty cols 90; '" + launcher + "' record list", "/dev/null"))
                .with("EREMITE_DATA_DIR", data.toString())
                .run();
        assertThat(seen.output().lines()).hasSize(2).allMatch(line -> line.length() <= 90);
        assertThat(seen.output().lines().skip(1)).allMatch(line -> line.length() == 90 && line.endsWith("…"));
    }
}
