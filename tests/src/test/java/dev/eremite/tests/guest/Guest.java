package dev.eremite.tests.guest;

import dev.eremite.tests.command.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line of {@code tests/guests.tsv}.
 *
 * @param name the guest's name, unique
 * @param source the file in {@code tests/guests}
 * @param flags the compiler's flags
 * @param arguments the program's arguments
 * @param status the exit status expected, 128 + n for an end by signal n
 * @param deterministic whether two native runs print the same
 */
public record Guest(
        String name, String source, List<String> flags, List<String> arguments, int status, boolean deterministic) {
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    /** All guests in the table's order. */
    public static List<Guest> all() {
        try {
            List<String> lines = Files.readAllLines(Checkout.root().resolve("tests/guests.tsv"));
            return lines.stream().skip(1).map(Guest::parse).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The guest of a name.
     *
     * @throws IllegalArgumentException when the table has none
     */
    public static Guest named(String name) {
        return all().stream()
                .filter(guest -> guest.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no guest " + name + " in guests.tsv"));
    }

    /** The command that runs the compiled guest. */
    public List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(GuestBuilder.build(this).toString());
        command.addAll(arguments);
        return command;
    }

    /**
     * The number of the source line that carries the comment {@code mark: MARK}.
     *
     * @throws IllegalArgumentException when there is none, or more than one
     */
    public int line(String mark) {
        try {
            List<String> lines = Files.readAllLines(Checkout.guests().resolve(source));
            Pattern wanted = Pattern.compile("mark: " + Pattern.quote(mark) + "(?![\\w-])");
            List<Integer> found = new ArrayList<>();
            for (int i = 0; i < lines.size(); i++) {
                if (wanted.matcher(lines.get(i)).find()) {
                    found.add(i + 1);
                }
            }
            if (found.size() != 1) {
                throw new IllegalArgumentException(found.size() + " lines of " + source + " have the mark " + mark);
            }
            return found.getFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Guest parse(String line) {
        String[] cells = line.split("\t", -1);
        if (cells.length != 6 || !List.of("yes", "no").contains(cells[5])) {
            throw new IllegalArgumentException("guests.tsv: " + Arrays.toString(cells));
        }
        return new Guest(
                cells[0],
                cells[1],
                words(cells[2]),
                words(cells[3]),
                Integer.parseInt(cells[4]),
                cells[5].equals("yes"));
    }

    private static List<String> words(String cell) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(cell.equals("-") ? "" : cell);
        while (matcher.find()) {
            words.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
        }
        return words;
    }
}
