package dev.eremite.dap.session;

import dev.eremite.dap.mi.MiClient;
import dev.eremite.dap.mi.MiException;
import dev.eremite.dap.mi.MiStop;
import dev.eremite.dap.mi.MiVariable;
import dev.eremite.dap.protocol.RequestFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the client can open: scopes and variables, by the references that it was given since the last stop. */
public final class Variables {
    /** Something that has variables in it. */
    public sealed interface Container {}

    /** The arguments of a frame's function. */
    public record Arguments(Frames.Place place) implements Container {}

    /** The other local variables of a frame. */
    public record Locals(Frames.Place place) implements Container {}

    /** The variables of a frame's source file that exist as long as the program does. */
    public record Globals(Frames.Place place) implements Container {}

    /** The registers of a frame. */
    public record Registers(Frames.Place place) implements Container {}

    /** What a function returned that was finished. */
    public record Returned(String variable) implements Container {}

    /**
     * A variable with children.
     *
     * @param expression what the client can evaluate to get it; empty where there is no such thing
     */
    public record Opened(MiVariable variable, String expression, Frames.Place place) implements Container {}

    /** A variable that the client has been shown, by what it can be named again. */
    public record Known(MiVariable variable, String expression, Frames.Place place) {}

    private final Session session;
    private final Map<Integer, Container> containers = new HashMap<>();
    private final Map<Integer, Map<String, Known>> shown = new HashMap<>();
    private final List<String> roots = new ArrayList<>();
    private int last;

    /** Variables, forgotten at each stop of a session. */
    public Variables(Session session) {
        this.session = session;
        session.onStop(this::forget);
    }

    /** Gives a container a reference; references are never used again. */
    public int add(Container container) {
        containers.put(++last, container);
        return last;
    }

    /** Tells more of a container than was known when it got its reference. */
    public void replace(int reference, Container container) {
        containers.put(reference, container);
    }

    /**
     * The container of a reference.
     *
     * @throws RequestFailure when it is of an earlier stop
     */
    public Container get(int reference) {
        Container container = containers.get(reference);
        if (container == null) {
            throw new RequestFailure("there is nothing to open by the reference " + reference + " at this stop");
        }
        return container;
    }

    /** Makes a variable object, which lives until the program moves; throws {@link MiException} where there is no such thing. */
    public MiVariable create(Frames.Place place, String expression) {
        String options = place == null ? " " : place.options();
        String quoted = MiClient.quoted(expression);
        MiVariable made;
        try {
            made = MiVariable.of(session.mi().command("-var-create" + options + "- * " + quoted));
        } catch (MiException e) {
            // This one says why.
            session.mi().command("-data-evaluate-expression" + options + quoted);
            throw e;
        }
        roots.add(made.name());
        // A variable is made all the same where the expression has no value.
        session.execution().unseen().ifPresent(stop -> {
            throw new RequestFailure(expression + " did not return: " + reason(stop));
        });
        if (made.value().isEmpty() && !made.dynamic() && made.children() == 0) {
            session.mi().command("-data-evaluate-expression" + options + quoted);
        }
        return made;
    }

    /** Why a call of a function has stopped. */
    private String reason(MiStop stop) {
        String notice = session.target().map(SteeredTarget::notice).orElse("").replace("eremite: ", "");
        if (stop.breakpoint() > 0) {
            return "it hit breakpoint " + stop.breakpoint();
        } else if (!notice.isBlank()) {
            return notice.strip();
        }
        return stop.signal().isEmpty() ? "it stopped" : "it got " + stop.signal() + ", " + stop.signalMeaning();
    }

    /** Notes a variable object that was made elsewhere. */
    public void made(MiVariable variable) {
        roots.add(variable.name());
    }

    /** Notes what a client was shown in a container. */
    public void note(int reference, String name, Known known) {
        shown.computeIfAbsent(reference, _ -> new HashMap<>()).put(name, known);
    }

    /**
     * What a client was shown under a name.
     *
     * @throws RequestFailure when it was not shown at this stop
     */
    public Known known(int reference, String name) {
        Known known = shown.getOrDefault(reference, Map.of()).get(name);
        if (known == null) {
            throw new RequestFailure("there is no variable " + name + " in what was shown at this stop");
        }
        return known;
    }

    private void forget() {
        containers.clear();
        shown.clear();
        MiClient mi = session.client();
        if (mi != null) {
            // The answers are of no interest.
            roots.forEach(root -> mi.send("-var-delete " + root));
        }
        roots.clear();
    }
}
