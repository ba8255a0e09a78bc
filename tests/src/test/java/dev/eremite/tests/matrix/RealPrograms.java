package dev.eremite.tests.matrix;

import dev.eremite.tests.command.Checkout;
import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.CommandResult;
import dev.eremite.tests.command.DeadlineExceeded;
import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.command.Folders;
import dev.eremite.tests.command.RecordReplay;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The matrix of real programs, a folder beside this source tree: a table of commands, and {@code run-native}, which runs a
 * row in a new folder, records and replays it, and compares standard output, standard error and status.
 */
final class RealPrograms {
    /** The environment's name of the folder. */
    static final String VARIABLE = "EREMITE_MATRIX";

    private static final List<String> COLUMNS =
            List.of("id", "family", "modes", "stable", "packages", "setup", "timeout_s", "command", "status");

    private static final Path QUERY = Path.of("/usr/bin/dpkg-query");

    private final Path folder;
    private final List<Row> rows;

    /**
     * A row of the table.
     *
     * @param id its name
     * @param family its group
     * @param recorded whether it is to be recorded and replayed
     * @param packages the Debian packages that it needs
     */
    record Row(String id, String family, boolean recorded, List<String> packages) {}

    private RealPrograms(Path folder, List<Row> rows) {
        this.folder = folder;
        this.rows = rows;
    }

    /** Where the folder is looked for: {@code $EREMITE_MATRIX}, or {@code ../shared/matrix} seen from the source tree. */
    static Path place() {
        String chosen = System.getenv(VARIABLE);
        return chosen == null
                ? Checkout.root().resolve("../shared/matrix").normalize()
                : Path.of(chosen).toAbsolutePath();
    }

    /** The matrix, if its folder exists. A folder that was asked for by the environment must. */
    static Optional<RealPrograms> find() {
        Path place = place();
        if (!Files.isExecutable(place.resolve("run-native"))) {
            if (System.getenv(VARIABLE) != null) {
                throw new AssertionError("$" + VARIABLE + ": no run-native in " + place);
            }
            return Optional.empty();
        }
        try (Stream<String> lines = Files.lines(place.resolve("real-programs.tsv"))) {
            List<String[]> table =
                    lines.map(line -> line.split("\t", -1)).collect(Collectors.toCollection(java.util.ArrayList::new));
            if (!List.of(table.removeFirst()).equals(COLUMNS)) {
                throw new AssertionError(place + "/real-programs.tsv has other columns than " + COLUMNS);
            }
            return Optional.of(new RealPrograms(
                    place,
                    table.stream()
                            .map(cells ->
                                    new Row(cells[0], cells[1], cells[2].contains("R"), List.of(cells[4].split(","))))
                            .toList()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The row of this name. */
    Row row(String id) {
        return rows.stream()
                .filter(row -> row.id().equals(id))
                .findAny()
                .orElseThrow(() -> new AssertionError(folder + "/real-programs.tsv has no row " + id));
    }

    /** The rows to be recorded with one of these names or families; all of them for the name {@code all}. */
    List<Row> rows(List<String> namesOrFamilies) {
        return rows.stream()
                .filter(Row::recorded)
                .filter(row -> namesOrFamilies.contains("all")
                        || namesOrFamilies.contains(row.id())
                        || namesOrFamilies.contains(row.family()))
                .toList();
    }

    /** Those of a row's packages that are not installed; all of them where nothing can tell. */
    List<String> missing(Row row) {
        return row.packages().stream()
                .filter(name -> !name.equals("-") && !installed(name))
                .toList();
    }

    private static boolean installed(String name) {
        return Files.isExecutable(QUERY)
                && new Command(List.of(QUERY.toString(), "-W", "-f", "${db:Status-Status}", name))
                        .run()
                        .output()
                        .equals("installed");
    }

    /**
     * Records and replays a row.
     *
     * @param repeat how many times
     * @throws AssertionError when a replay differs or the row does not do what the table says; the recording is kept, and
     *     the message has the commands that show it again
     */
    void check(Row row, int repeat) {
        Path data = RecordReplay.newDataFolder("matrix-" + row.id());
        String eremite = EremiteCommand.launcher().toString();
        Command command = new Command(List.of(
                        folder.resolve("run-native").toString(),
                        "--modes",
                        "R",
                        "--repeat",
                        Integer.toString(repeat),
                        "--cache",
                        Checkout.output("matrix-cache").toString(),
                        "--work",
                        Checkout.output("matrix-work").toString(),
                        "--record-replay",
                        eremite + " record -q --",
                        eremite + " replay --autopilot -q",
                        row.id()))
                .with("EREMITE_DATA_DIR", data.toString())
                .within(Duration.ofSeconds(120L * repeat));
        String failure;
        try {
            CommandResult result = command.run();
            failure = result.status() == 0 ? "" : result.output() + result.errors();
        } catch (DeadlineExceeded e) {
            failure = e.getMessage();
        }
        if (!failure.isEmpty()) {
            throw new AssertionError(failure + "\nThe recording is kept. Again:\n  " + command.line()
                    + "\nIts last recording once more:\n  EREMITE_DATA_DIR=" + data + " " + eremite
                    + " replay --autopilot");
        }
        Folders.delete(data);
    }
}
