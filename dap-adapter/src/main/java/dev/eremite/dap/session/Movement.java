package dev.eremite.dap.session;

import dev.eremite.dap.mi.MiStop;
import java.util.Optional;
import java.util.function.Function;

/**
 * Something that moves the program until it stops.
 *
 * @param kind what the user asked for
 * @param title what it is called where its progress is shown
 * @param command the MI command that starts it
 * @param then the command with which to go on after a stop of its own making; empty when that stop is the end
 * @param done what is to be done at the end, wherever that is, before the client is told; also when GDB refuses to move
 */
public record Movement(
        Kind kind, String title, String command, Function<MiStop, Optional<String>> then, Runnable done) {
    /**
     * The command of movements that go elsewhere. Forwards GDB first steps off a breakpoint that the thread stands at, and
     * asks that the next stop be that thread's: GDB 13 ends with an internal error where it is another's.
     */
    public static final String SEEK = "-exec-continue --reverse";

    /** Kinds of movement. */
    public enum Kind {
        /** To where the launch configuration wants to begin. */
        ENTRY,
        CONTINUE,
        STEP,
        /** To a place that was named. */
        GOTO,
        /** The user's own, typed in the console. */
        CONSOLE
    }

    /** A movement that one command does. */
    public static Movement of(Kind kind, String title, String command) {
        return new Movement(kind, title, command, _ -> Optional.empty(), () -> {});
    }
}
