package dev.eremite.cli.engine;

import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;
import java.nio.file.Path;

/** The engine of this build. */
public final class Engines {
    private Engines() {}

    /** The engine; its classes are loaded only now, so that commands without one start fast. */
    public static Engine engine() {
        return new Refusing();
    }

    /** Stands where a build has no engine: refuses each command. */
    private static final class Refusing implements Engine {
        @Override
        public Outcome record(RecordRequest request) {
            throw refusal("record");
        }

        @Override
        public Outcome replay(Path dataDirectory, String id, boolean silent) {
            throw refusal("replay");
        }

        @Override
        public Outcome strace(GuestProgram program) {
            throw refusal("trace");
        }

        private static UsageException refusal(String verb) {
            return new UsageException(ErrorCode.NOT_IN_THIS_BUILD, "this build cannot " + verb + " programs yet");
        }
    }
}
