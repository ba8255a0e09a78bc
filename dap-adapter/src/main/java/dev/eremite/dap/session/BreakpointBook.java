package dev.eremite.dap.session;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What GDB's breakpoints are to the client, by their numbers, which are the client's identifiers too. */
public final class BreakpointBook {
    /** Kinds of breakpoint. */
    public enum Kind {
        SOURCE("breakpoint"),
        FUNCTION("function breakpoint"),
        INSTRUCTION("instruction breakpoint"),
        DATA("data breakpoint"),
        EXCEPTION("exception");

        private final String reason;

        Kind(String reason) {
            this.reason = reason;
        }

        /** The protocol's reason for a stop at one. */
        String reason() {
            return reason;
        }
    }

    /**
     * A breakpoint.
     *
     * @param label what it stops at, for people: an expression, the kind of exception
     * @param hits which of its hits stop
     */
    public record Entry(Kind kind, String label, HitCondition hits) {}

    private final Map<Integer, Entry> entries = new ConcurrentHashMap<>();
    private final Set<Integer> pending = ConcurrentHashMap.newKeySet();

    /** Notes a breakpoint. */
    public void add(int number, Entry entry) {
        entries.put(number, entry);
    }

    /** Notes that no code has been found for one yet. */
    public void await(int number) {
        pending.add(number);
    }

    /** Whether code was still to be found for one; from now on it is not. */
    boolean awaited(int number) {
        return pending.remove(number);
    }

    /** Forgets one. */
    public void remove(int number) {
        pending.remove(number);
        entries.remove(number);
    }

    /** The one with that number; empty for those that are not the client's. */
    public Optional<Entry> find(int number) {
        return Optional.ofNullable(entries.get(number));
    }
}
