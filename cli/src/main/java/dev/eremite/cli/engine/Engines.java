package dev.eremite.cli.engine;

/** The engine of this build. */
public final class Engines {
    private Engines() {}

    /** The engine; its classes are loaded only now, so that commands without one start fast. */
    public static Engine engine() {
        return new TracingEngine();
    }
}
