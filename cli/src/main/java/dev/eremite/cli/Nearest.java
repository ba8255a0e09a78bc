package dev.eremite.cli;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the word that somebody probably meant. */
public final class Nearest {
    /** A word may have one mistake, and one more for each so many letters. */
    private static final int LETTERS_PER_MISTAKE = 3;

    private Nearest() {}

    /** The nearest of the candidates, if it is near at all: letters exchanged, missing, added or replaced. */
    public static Optional<String> to(String word, Stream<String> candidates) {
        String wanted = word.toLowerCase(Locale.ROOT);
        return candidates
                .filter(candidate -> distance(wanted, candidate)
                        <= Math.max(1, Math.min(wanted.length(), candidate.length()) / LETTERS_PER_MISTAKE))
                .min(Comparator.comparingInt(candidate -> distance(wanted, candidate)));
    }

    /** The optimal string alignment distance: like Levenshtein's, with neighbours exchanged as one mistake. */
    static int distance(String left, String right) {
        int[][] costs = new int[left.length() + 1][right.length() + 1];
        for (int i = 0; i <= left.length(); i++) {
            for (int j = 0; j <= right.length(); j++) {
                costs[i][j] = i == 0 || j == 0 ? i + j : cost(left, right, i, j, costs);
            }
        }
        return costs[left.length()][right.length()];
    }

    private static int cost(String left, String right, int i, int j, int[][] costs) {
        int replaced = costs[i - 1][j - 1] + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
        int best = Math.min(replaced, 1 + Math.min(costs[i - 1][j], costs[i][j - 1]));
        boolean exchanged = i > 1
                && j > 1
                && left.charAt(i - 1) == right.charAt(j - 2)
                && left.charAt(i - 2) == right.charAt(j - 1);
        return exchanged ? Math.min(best, costs[i - 2][j - 2] + 1) : best;
    }
}
