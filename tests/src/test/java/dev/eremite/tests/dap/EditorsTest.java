package dev.eremite.tests.dap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.eremite.tests.command.Checkout;
import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.CommandResult;
import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.command.Folders;
import dev.eremite.tests.command.RecordReplay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Editors, configured as docs/dap.md says, go from the crash of the sample back to the line that caused it; see
 * {@code tests/dap/editors}. No machine needs to have them.
 */
@Tag("slow")
class EditorsTest {
    private static final Path SCRIPTS = Checkout.root().resolve("tests/dap/editors");
    private static final Path SOURCE = Checkout.root().resolve("vscode-sample/sample/bank.c");
    private static final Duration LIMIT = Duration.ofMinutes(2);
    /** The status of a script whose editor lacks its client, which it tells of. */
    private static final int LACKING = 77;

    @Test
    void shouldServeEmacs() throws IOException {
        assumeTrue(works("emacs", "--version"), "Emacs is not installed");
        assumeTrue(
                works("emacs", "--batch", "--eval", "(progn (package-activate-all) (require 'dape))"),
                "dape for Emacs is not installed (Debian 13: elpa-dape)");
        drive(
                "elisp",
                List.of("emacs", "--batch", "-l", SCRIPTS.resolve("drive.el").toString()));
    }

    @Test
    void shouldServeNeovim() throws IOException {
        assumeTrue(works("nvim", "--version"), "Neovim is not installed");
        String script = SCRIPTS.resolve("drive.lua").toString();
        drive("lua", List.of("nvim", "--headless", "-n", "-i", "NONE", "-u", "NONE", "-c", "luafile " + script));
    }

    private static boolean works(String... words) {
        String line = String.join(
                " ",
                List.of(words).stream()
                        .map(word -> "'" + word.replace("'", "'\\''") + "'")
                        .toList());
        return new Command(List.of("sh", "-c", line)).run().status() == 0;
    }

    /**
     * Drives an editor.
     *
     * @param language what the block in docs/dap.md is marked with that configures it
     */
    private static void drive(String language, List<String> editor) throws IOException {
        Path data = RecordReplay.newDataFolder("dap-" + language);
        Files.createDirectories(data);
        Path bank = data.resolve("bank");
        CommandResult built =
                new Command(List.of("gcc", "-g", "-pthread", SOURCE.toString(), "-o", bank.toString())).run();
        assertThat(built.status()).describedAs(built.errors()).isZero();
        Path configuration = data.resolve("configuration");
        Files.writeString(configuration, block(language));
        CommandResult result = new Command(editor)
                .with("EREMITE", EremiteCommand.launcher().toString())
                .with("EREMITE_DATA_DIR", data.toString())
                .with("BANK", bank.toString())
                .with("BANK_SOURCE", SOURCE.toString())
                .with("CONFIGURATION", configuration.toString())
                .within(LIMIT)
                .run();
        assumeTrue(result.status() != LACKING, result.output().strip());
        assertThat(result.output().lines())
                .describedAs("%s%n%s", result.output(), result.errors())
                .last()
                .isEqualTo("passed");
        assertThat(result.status()).isZero();
        Folders.delete(data);
    }

    private static String block(String language) throws IOException {
        String page = Files.readString(Checkout.root().resolve("docs/dap.md"));
        String start = "```" + language + "\n";
        assertThat(page).containsOnlyOnce(start);
        int from = page.indexOf(start) + start.length();
        return page.substring(from, page.indexOf("```", from));
    }
}
