package dev.eremite.tests.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.CommandResult;
import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.command.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recording carries all it needs. */
@Tag("slow")
class MovedRecordingTest {
    private static final String LIBRARY = """
            int triple(int n) { return 3 * n; }
            """;
    private static final String PROGRAM = """
            #include <fcntl.h>
            #include <stdio.h>
            #include <sys/mman.h>
            int triple(int n);
            int main(int argc, char **argv) {
                char line[64] = "";
                FILE *input = fopen(argv[argc - 1], "r");
                if (input == NULL || fgets(line, sizeof line, input) == NULL) {
                    return 1;
                }
                char *mapped = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, open(argv[argc - 1], O_RDONLY), 0);
                printf("read %smapped %.5s triple %d\\n", line, mapped + 6, triple(14));
                return 5;
            }
            """;

    @Test
    void shouldReplayElsewhereWithoutProgramLibraryAndInput(@TempDir Path scratch) throws IOException {
        Path program = scratch.resolve("program");
        Files.createDirectories(program);
        Files.writeString(program.resolve("library.c"), LIBRARY);
        Files.writeString(program.resolve("main.c"), PROGRAM);
        Files.writeString(program.resolve("input"), "hello world\n");
        compile(program, "-shared", "-fPIC", "-o", "libprivate.so", "library.c");
        compile(program, "-o", "main", "main.c", "-L.", "-lprivate", "-Wl,-rpath,$ORIGIN");
        Path data = scratch.resolve("data");
        CommandResult recorded = new EremiteCommand(data)
                .record(List.of(
                        program.resolve("main").toString(),
                        program.resolve("input").toString()));
        assertThat(recorded.output()).isEqualTo("read hello world\nmapped world triple 42\n");
        assertThat(recorded.status()).isEqualTo(5);

        Path elsewhere = scratch.resolve("elsewhere/deep");
        Files.createDirectories(elsewhere.getParent());
        Files.move(data, elsewhere);
        Folders.delete(program);
        CommandResult replayed = new EremiteCommand(elsewhere).replay("latest");
        assertThat(recorded.differenceTo(replayed)).isEmpty();
    }

    private static void compile(Path folder, String... arguments) {
        List<String> words = new java.util.ArrayList<>(List.of("gcc"));
        words.addAll(List.of(arguments));
        CommandResult result = new Command(words).in(folder).run();
        assertThat(result.status()).as(result.errors()).isZero();
    }
}
