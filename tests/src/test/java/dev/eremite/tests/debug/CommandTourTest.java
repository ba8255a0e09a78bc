package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.eremite.tests.command.Checkout;
import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.CommandResult;
import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.debug.CommandTour.Language;
import dev.eremite.tests.debug.CommandTour.Row;
import dev.eremite.tests.mi.ReplayServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every command that the page for gdb's users promises, one after another in one session of gdb per language. */
@Tag("slow")
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class CommandTourTest {
    private static final Path PAGE = Checkout.root().resolve("docs/gdb.md");
    private static final String HEADING = "## Commands that are tested";

    @TempDir
    private Path folder;

    private static List<String> compiler(Language language) {
        return switch (language) {
            case C -> List.of("gcc", "-O0", "-g", "-pthread", "-o", "PROGRAM", "tour.c");
            case CPP -> List.of("g++", "-O0", "-g", "-pthread", "-o", "PROGRAM", "tour.cpp");
            case RUST -> List.of("rustc", "-g", "-C", "opt-level=0", "-o", "PROGRAM", "tour.rs");
            case GO -> List.of("go", "build", "-gcflags=-N -l", "-o", "PROGRAM", "tour.go");
        };
    }

    private Path build(Language language) {
        Path program = folder.resolve("tour-" + language.key());
        List<String> words = compiler(language).stream()
                .map(word -> word.equals("PROGRAM") ? program.toString() : word)
                .toList();
        boolean there = new Command(List.of("sh", "-c", "command -v " + words.getFirst()))
                        .run()
                        .status()
                == 0;
        assumeTrue(there, words.getFirst() + " is installed");
        CommandResult built = new Command(words)
                .in(Checkout.root().resolve("tests/tour"))
                .with("GO111MODULE", "off")
                .with("GOCACHE", Checkout.output("go-cache").toString())
                .within(Duration.ofSeconds(120))
                .run();
        assertThat(built.status()).as(built.errors()).isZero();
        return program;
    }

    @ParameterizedTest
    @EnumSource
    void shouldDoWhatItsUsersAreTold(Language language) throws IOException {
        Path program = build(language);
        EremiteCommand eremite = new EremiteCommand(folder.resolve("data"));
        assertThat(eremite.record(List.of(program.toString())).status()).isZero();
        List<Row> rows = CommandTour.rows().stream()
                .filter(row -> row.appliesTo(language))
                .toList();
        String printed;
        try (ReplayServer server = new ReplayServer(eremite, "latest", Duration.ofSeconds(30))) {
            printed = talk(program, script(rows, language, eremite, server.address()));
        }
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            String answer = answer(printed, i);
            if (!Pattern.compile(rows.get(i).expected(language), Pattern.MULTILINE)
                    .matcher(answer)
                    .find()) {
                wrong.add(rows.get(i).command() + " should print " + rows.get(i).expected(language) + ", but printed:\n"
                        + answer);
            }
        }
        assertThat(wrong).isEmpty();
    }

    private String script(List<Row> rows, Language language, EremiteCommand eremite, String address)
            throws IOException {
        Path definitions = Files.writeString(
                folder.resolve("definitions"), eremite.run("gdbinit").output());
        StringBuilder script = new StringBuilder("""
                set width 0
                set height 0
                set confirm off
                set breakpoint pending on
                """);
        script.append("source ").append(definitions).append('\n');
        script.append("target extended-remote ").append(address).append('\n');
        Map<String, String> names = CommandTour.names(language, folder);
        for (int i = 0; i < rows.size(); i++) {
            String command = rows.get(i).command();
            for (Map.Entry<String, String> name : names.entrySet()) {
                command = command.replace("{" + name.getKey() + "}", name.getValue());
            }
            // Lines of commands that belong to a breakpoint; in a format of printf the same characters are gdb's.
            boolean several = rows.get(i).shown().equals("commands");
            script.append("echo ").append(mark(i)).append("\\n\n");
            script.append(several ? command.replace("\\n", "\n") : command).append('\n');
        }
        return script.append("echo ").append(mark(rows.size())).append("\\n\n").toString();
    }

    private static String mark(int row) {
        return "@@" + row + "@@";
    }

    private static String talk(Path program, String script) {
        String chosen = System.getenv("EREMITE_TEST_GDB");
        String gdb = chosen == null ? "gdb" : chosen;
        return new Command(List.of("sh", "-c", "exec \"$0\" -q -nx \"$1\" 2>&1", gdb, program.toString()))
                .reading(script.getBytes(StandardCharsets.UTF_8))
                .within(Duration.ofSeconds(120))
                .run()
                .output();
    }

    /** What gdb printed for a row, without its prompts. */
    private static String answer(String printed, int row) {
        int start = printed.indexOf(mark(row) + "\n");
        int end = printed.indexOf(mark(row + 1) + "\n");
        if (start < 0 || end < start) {
            return "nothing; at last: " + printed.substring(Math.max(0, printed.length() - 500));
        }
        return printed.substring(start + mark(row).length() + 1, end).replaceAll("\\(gdb\\) ", "");
    }

    @Test
    void shouldListTheCommandsThatAreTested() throws IOException {
        String page = Files.readString(PAGE);
        int start = page.indexOf("| Command | Tried in |", page.indexOf(HEADING));
        int end = page.indexOf("\n\n", start) + 1;
        if (Boolean.getBoolean("eremite.docs.write")) {
            page = page.substring(0, start) + CommandTour.markdown() + page.substring(end);
            Files.writeString(PAGE, page);
            end = page.indexOf("\n\n", start) + 1;
        }
        assertThat(page.substring(start, end)).isEqualTo(CommandTour.markdown());
        assertThat(CommandTour.rows().stream().filter(row -> !row.shown().isEmpty()))
                .hasSizeGreaterThanOrEqualTo(80);
    }
}
