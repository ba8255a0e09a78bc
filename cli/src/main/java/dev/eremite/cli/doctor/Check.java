package dev.eremite.cli.doctor;

/**
 * The answer to one question about the machine.
 *
 * @param name what was looked at
 * @param verdict how good it is
 * @param found what is there, in a few words
 * @param cost what does not work, or works worse; empty if good
 * @param cure how to get it; empty if good
 */
public record Check(String name, Verdict verdict, String found, String cost, String cure) {
    /** How good it is. */
    public enum Verdict {
        GOOD("ok"),
        /** Something works worse. */
        LESS("note"),
        /** Nothing can be recorded. */
        BROKEN("MISSING");

        private final String word;

        Verdict(String word) {
            this.word = word;
        }

        /** The word that stands at the beginning of the line. */
        public String word() {
            return word;
        }
    }

    static Check good(String name, String found) {
        return new Check(name, Verdict.GOOD, found, "", "");
    }

    static Check less(String name, String found, String cost, String cure) {
        return new Check(name, Verdict.LESS, found, cost, cure);
    }

    static Check broken(String name, String found, String cost, String cure) {
        return new Check(name, Verdict.BROKEN, found, cost, cure);
    }
}
