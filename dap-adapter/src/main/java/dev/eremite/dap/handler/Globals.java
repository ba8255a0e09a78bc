package dev.eremite.dap.handler;

import dev.eremite.dap.mi.MiException;
import dev.eremite.dap.session.Frames;
import dev.eremite.dap.session.Session;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The names of the global and static variables of a source file. They do not change while the program runs. */
final class Globals {
    private static final int MOST_SHOWN = 500;

    private final Session session;
    private final Map<String, Set<String>> known = new HashMap<>();

    Globals(Session session) {
        this.session = session;
    }

    Set<String> of(Frames.Place place) {
        return known.computeIfAbsent(place.frame().path(), _ -> find(place));
    }

    /** MI has a command for this too, but that one reads all the debug information there is. */
    private Set<String> find(Frames.Place place) {
        try {
            return session.mi()
                    .console(place.options(), "python eremite_globals()")
                    .lines()
                    .limit(MOST_SHOWN)
                    .collect(Collectors.toCollection(LinkedHashSet::new));
        } catch (MiException e) {
            return Set.of();
        }
    }
}
