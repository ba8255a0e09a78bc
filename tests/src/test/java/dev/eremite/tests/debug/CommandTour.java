package dev.eremite.tests.debug;

import dev.eremite.tests.command.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The table of gdb's commands in {@code tests/tour/commands.tsv}, from which the test and the page for users come. */
final class CommandTour {
    /** The languages of the programs, by the names that the table uses. */
    enum Language {
        C("C"),
        CPP("C++"),
        RUST("Rust"),
        GO("Go");

        private final String shown;

        Language(String shown) {
            this.shown = shown;
        }

        String key() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /**
     * One line of the table.
     *
     * @param shown the command as users are told it; empty for one that only prepares another
     * @param command what gdb is told, with names in braces that differ between languages
     * @param expected a regular expression that what gdb prints must contain; {@code \A\s*\z} where it prints nothing
     * @param exceptions other expectations by language, {@code -} for none: the command is left out
     */
    record Row(String shown, String command, String expected, Map<String, String> exceptions) {
        String expected(Language language) {
            return exceptions.getOrDefault(language.key(), expected);
        }

        boolean appliesTo(Language language) {
            return !expected(language).equals("-");
        }

        private String languages() {
            return Arrays.stream(Language.values())
                    .filter(this::appliesTo)
                    .map(language -> language.shown)
                    .collect(Collectors.joining(", "));
        }
    }

    private CommandTour() {}

    static List<Row> rows() {
        try {
            return Files.readAllLines(Checkout.root().resolve("tests/tour/commands.tsv")).stream()
                    .skip(1)
                    .map(CommandTour::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Row parse(String line) {
        String[] cells = line.split("\t", -1);
        if (cells.length != 4) {
            throw new IllegalArgumentException("commands.tsv: " + line);
        }
        Map<String, String> exceptions = new HashMap<>();
        for (String exception : cells[3].isEmpty() ? new String[0] : cells[3].split(" ;; ")) {
            int equals = exception.indexOf('=');
            exceptions.put(exception.substring(0, equals), exception.substring(equals + 1));
        }
        if (cells[2].isEmpty() || exceptions.containsValue("")) {
            throw new IllegalArgumentException("commands.tsv: an expectation that nothing can fail: " + line);
        }
        return new Row(cells[0], cells[1], cells[2], exceptions);
    }

    /** The commands and the languages in which each is tried, as Markdown. */
    static String markdown() {
        StringBuilder table = new StringBuilder("| Command | Tried in |\n|---|---|\n");
        for (Row row : rows()) {
            if (!row.shown().isEmpty()) {
                table.append("| `").append(row.shown()).append("` | ");
                table.append(row.languages()).append(" |\n");
            }
        }
        return table.toString();
    }

    /** How a program's things are called in gdb. */
    static Map<String, String> names(Language language, Path folder) {
        Map<String, String> names = new HashMap<>(
                switch (language) {
                    case C -> Map.of("point", "struct point", "pattern", "^scale$");
                    case CPP -> Map.of("point", "point", "pattern", "^scale(");
                    case RUST ->
                        Map.of(
                                "point",
                                "tour::Point",
                                "total",
                                "tour::total",
                                "scale",
                                "tour::scale",
                                "counter",
                                "tour::COUNTER");
                    case GO ->
                        Map.of(
                                "pattern",
                                "^main.scale$",
                                "total",
                                "main.total",
                                "scale",
                                "main.scale",
                                "counter",
                                "'main.counter'");
                });
        for (String name : List.of("total", "scale", "counter")) {
            names.putIfAbsent(name, name);
        }
        names.put("folder", folder.toString());
        return names;
    }
}
