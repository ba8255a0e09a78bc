package dev.eremite.tests.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.matrix.RealPrograms.Row;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * A sample of the matrix of real programs. {@code -Deremite.tests.matrix=LIST} takes other rows, by names and families
 * separated by commas or {@code all}; {@code -Deremite.tests.repeats=N} runs each N times. Servers listen on fixed ports, so
 * the whole matrix must not run twice at a time; the sample has none of them.
 */
@Tag("slow")
class MatrixTest {
    /** Short rows of all families, and the ones whose programs everything else stands on. */
    private static final List<String> SAMPLE = List.of(
            "date",
            "xargs-parallel",
            "timeout",
            "gawk-srand",
            "grep-unsorted",
            "tar-create",
            "cancel",
            "spin-flag",
            "alarm-storm",
            "itimer-compute",
            "die-segv",
            "bash-traps",
            "bash-process-substitution",
            "daemonise",
            "vfork-exec",
            "epoll-edge",
            "proc-self-stable",
            "py-threads",
            "py-hash",
            "perl",
            "gcc-run",
            "sqlite-two-processes",
            "openssl-digest",
            "resolver",
            "lua-varying",
            "go-goroutine-order");

    @TestFactory
    Stream<DynamicTest> shouldReplayRealPrograms() {
        String chosen = System.getProperty("eremite.tests.matrix", "");
        int repeats = Integer.getInteger("eremite.tests.repeats", 1);
        RealPrograms matrix = RealPrograms.find().orElse(null);
        if (matrix == null) {
            return Stream.of(DynamicTest.dynamicTest(
                    "matrix",
                    () -> Assumptions.abort("no matrix of real programs in " + RealPrograms.place() + "; $"
                            + RealPrograms.VARIABLE + " names another folder")));
        }
        List<Row> rows =
                chosen.isEmpty() ? SAMPLE.stream().map(matrix::row).toList() : matrix.rows(List.of(chosen.split(",")));
        assertThat(rows).as("rows of %s", chosen).isNotEmpty().allMatch(Row::recorded);
        // A row must not wait for the launcher's build.
        new Command(List.of(EremiteCommand.launcher().toString(), "--version"))
                .within(Duration.ofMinutes(5))
                .run();
        return rows.stream()
                .map(row -> DynamicTest.dynamicTest(row.id(), () -> {
                    List<String> missing = matrix.missing(row);
                    Assumptions.assumeTrue(
                            missing.isEmpty(), () -> row.id() + " needs packages: " + String.join(" ", missing));
                    matrix.check(row, repeats);
                }));
    }
}
