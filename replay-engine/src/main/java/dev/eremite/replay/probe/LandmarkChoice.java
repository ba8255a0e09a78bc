package dev.eremite.replay.probe;

import java.util.List;

/**
 * A good place for an event to land: the next visit of a pc, told from the other visits by the values there.
 *
 * @param pc the place
 * @param registers the registers, as indices in user_regs_struct, that tell the rounds apart; the most telling first
 * @param words addresses of aligned 8-byte words that change from round to round, the most telling first; often none
 * @param visits how often the pc was visited in the window
 * @param telling how well registers and words tell the visits apart
 */
public record LandmarkChoice(long pc, List<Integer> registers, List<Long> words, int visits, Telling telling) {
    /** What is known about the visits of the pc. */
    public enum Telling {
        /** Each visit in the window had other values. */
        APART,
        /** Some visits had the same values in all registers and in all words that could be followed. */
        PARTLY,
        /**
         * All visits had the same registers and no word that the window touches changed from one visit to the next: the
         * program spins, and any visit is as good as another.
         */
        SAME_STATE,
        /** The pc was visited only once: there is no loop in the window. */
        ONCE
    }
}
