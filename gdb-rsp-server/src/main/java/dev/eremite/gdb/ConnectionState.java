package dev.eremite.gdb;

/** Where a connection stands between "resume" packets and their stop replies. */
sealed interface ConnectionState {
    /** How many resume packets have come whose stop is still to be reported; a polite client never has two. */
    int running();

    /** Another resume packet has come. */
    ConnectionState started();

    /** A stop has been reported. */
    ConnectionState stopped();

    /** The user wants a running movement to stop. */
    ConnectionState interrupted();

    /** The client is gone. */
    default ConnectionState disconnected() {
        return new Disconnected(running());
    }

    /** Whether a movement runs that nobody waits for any more, or that the user wants to end. */
    default boolean wantsInterrupt() {
        return false;
    }

    /** Nothing moves. */
    record Idle() implements ConnectionState {
        @Override
        public int running() {
            return 0;
        }

        @Override
        public ConnectionState started() {
            return new Running(1);
        }

        @Override
        public ConnectionState stopped() {
            return this;
        }

        @Override
        public ConnectionState interrupted() {
            return this;
        }
    }

    /** The target moves, or is about to. */
    record Running(int running) implements ConnectionState {
        @Override
        public ConnectionState started() {
            return new Running(running + 1);
        }

        @Override
        public ConnectionState stopped() {
            return running > 1 ? new Running(running - 1) : new Idle();
        }

        @Override
        public ConnectionState interrupted() {
            return new Interrupted(running);
        }
    }

    /** The target moves and has been asked to stop. */
    record Interrupted(int running) implements ConnectionState {
        @Override
        public ConnectionState started() {
            return new Interrupted(running + 1);
        }

        @Override
        public ConnectionState stopped() {
            return running > 1 ? new Running(running - 1) : new Idle();
        }

        @Override
        public ConnectionState interrupted() {
            return this;
        }

        @Override
        public boolean wantsInterrupt() {
            return true;
        }
    }

    /** The client is gone; what still moves is to stop. */
    record Disconnected(int running) implements ConnectionState {
        @Override
        public ConnectionState started() {
            return this;
        }

        @Override
        public ConnectionState stopped() {
            return new Disconnected(Math.max(0, running - 1));
        }

        @Override
        public ConnectionState interrupted() {
            return this;
        }

        @Override
        public ConnectionState disconnected() {
            return this;
        }

        @Override
        public boolean wantsInterrupt() {
            return running > 0;
        }
    }
}
