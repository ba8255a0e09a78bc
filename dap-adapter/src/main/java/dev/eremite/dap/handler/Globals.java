package dev.eremite.dap.handler;

import dev.eremite.dap.mi.MiException;
import dev.eremite.dap.mi.MiValue;
import dev.eremite.dap.session.Frames;
import dev.eremite.dap.session.Session;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The names of the global and static variables of a source file. They do not change while the program runs. */
final class Globals {
    private static final int MOST = 10_000;
    private static final int MOST_SHOWN = 500;

    private final Session session;
    private final Map<String, Set<String>> known = new HashMap<>();

    Globals(Session session) {
        this.session = session;
    }

    Set<String> of(Frames.Place place) {
        return known.computeIfAbsent(place.frame().path(), this::find);
    }

    private Set<String> find(String path) {
        Set<String> names = new LinkedHashSet<>();
        MiValue symbols;
        try {
            symbols = session.mi()
                    .command("-symbol-info-variables --max-results " + MOST)
                    .at("symbols");
        } catch (MiException e) {
            return names;
        }
        for (MiValue file : symbols.list("debug")) {
            if (file.text("fullname").equals(path)) {
                file.list("symbols").stream()
                        .map(symbol -> symbol.text("name"))
                        .limit(MOST_SHOWN)
                        .forEach(names::add);
            }
        }
        return names;
    }
}
