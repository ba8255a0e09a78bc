package dev.eremite.dap.handler;

import dev.eremite.dap.mi.MiException;
import dev.eremite.dap.session.Session;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.eclipse.lsp4j.debug.Breakpoint;

/**
 * Breakpoints that a client sets together, naming all that there are to be: those it names again are kept, with their
 * numbers and counts.
 *
 * @param <W> what a client asks for
 */
final class BreakpointGroup<W> {
    private final Session session;
    private Map<W, Breakpoint> present = Map.of();

    /** A group without breakpoints. */
    BreakpointGroup(Session session) {
        this.session = session;
    }

    /** What is set, as the client was shown it. */
    Collection<Breakpoint> shown() {
        return present.values();
    }

    /**
     * Sets what is wanted, and deletes what is not any more. The program must stand still.
     *
     * @param insert sets a new one; what the client is to be shown of it
     * @return what the client is to be shown, in the order of what it wants
     */
    Breakpoint[] set(List<W> wanted, Function<W, Breakpoint> insert) {
        Breakpoint[] result = new Breakpoint[wanted.size()];
        Map<W, Breakpoint> now = new HashMap<>();
        for (int i = 0; i < result.length; i++) {
            W each = wanted.get(i);
            Breakpoint old = present.get(each);
            result[i] = now.computeIfAbsent(each, _ -> old != null && old.isVerified() ? old : insert.apply(each));
        }
        present.forEach((each, old) -> {
            if (!old.equals(now.get(each)) && old.getId() != null) {
                delete(session, old.getId());
            }
        });
        present = now;
        return result;
    }

    /** Deletes a breakpoint of the client's. */
    static void delete(Session session, int number) {
        session.book().remove(number);
        session.mi().command("-break-delete " + number);
    }

    /**
     * Gives a breakpoint that was just made its condition, if there is one.
     *
     * @param condition an expression; null or blank for none
     * @throws MiException when GDB refuses the condition; then the breakpoint has been deleted
     */
    static void condition(Session session, int number, String condition) {
        if (condition == null || condition.isBlank()) {
            return;
        }
        try {
            session.mi().command("-break-condition " + number + " " + condition);
        } catch (MiException e) {
            delete(session, number);
            throw e;
        }
    }
}
