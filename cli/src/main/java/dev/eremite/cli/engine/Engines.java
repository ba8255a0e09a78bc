package dev.eremite.cli.engine;

import dev.eremite.detcore.syscall.SyscallDecoder;

/** The engine of this build. */
public final class Engines {
    private Engines() {}

    /** The engine; its classes are loaded only now, so that commands without one start fast. */
    public static Engine engine() {
        return new TracingEngine();
    }

    /**
     * Begins to make what every engine needs, in a thread of its own: binding the C library takes as long as parsing the
     * command line.
     */
    public static void prepare() {
        Thread.ofPlatform().daemon().name("prepare").start(TracingEngine::prepare);
    }

    /** The name of a system call, or its number where it has none. */
    public static String callName(int number) {
        return Decoder.LINUX.name(number);
    }

    /** Loaded when the first name is asked for. */
    private static final class Decoder {
        private static final SyscallDecoder LINUX = SyscallDecoder.linux();
    }
}
