package dev.eremite.cli;

import dev.eremite.cli.command.RecordCommand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** The word {@code help} in place of a verb, or behind one: {@code eremite help record}, {@code eremite record help}. */
final class HelpWord {
    private static final String HELP = "help";

    private static final String RECORD = "record";

    /** A verb of a verb, such as {@code record list}, is as deep as it goes. */
    private static final int DEEPEST = 2;

    private HelpWord() {}

    /** The same arguments, with the word as the option {@code --help} at their end; others as they are. */
    static String[] asOption(String[] args, Set<String> verbs) {
        int place = Arrays.asList(args).indexOf(HELP);
        if (place < 0 || place > DEEPEST || !leads(args, place, verbs)) {
            return args;
        }
        List<String> words = new ArrayList<>(Arrays.asList(args));
        words.remove(place);
        words.add("--help");
        return words.toArray(String[]::new);
    }

    /** Whether only verbs stand before the word, so that it is neither a program nor an argument. */
    private static boolean leads(String[] args, int place, Set<String> verbs) {
        if (place == 0) {
            return true;
        }
        return place == 1
                ? verbs.contains(args[0])
                : args[0].equals(RECORD) && RecordCommand.VERBS.containsKey(args[1]);
    }
}
