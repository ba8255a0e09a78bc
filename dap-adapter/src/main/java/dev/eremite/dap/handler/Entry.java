package dev.eremite.dap.handler;

import dev.eremite.dap.mi.MiBreakpoint;
import dev.eremite.dap.mi.MiClient;
import dev.eremite.dap.mi.MiException;
import dev.eremite.dap.mi.MiStop;
import dev.eremite.dap.mi.MiValue;
import dev.eremite.dap.session.Movement;
import dev.eremite.dap.session.Movement.Kind;
import dev.eremite.dap.session.Session;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/** Goes to where a session begins. */
final class Entry {
    private static final Pattern MAIN = Pattern.compile("\\w+(::|\\.)main");
    private static final int MOST_MAINS = 100;

    private final Session session;

    Entry(Session session) {
        this.session = session;
    }

    void go(LaunchArguments.StopAt where) {
        switch (where) {
            case START -> session.execution().showEntry();
            case MAIN -> goToMain();
            case CRASH -> goToCrash();
            case END -> session.execution().seek(Kind.ENTRY, "to the end", travel -> travel.seek(Long.MAX_VALUE), -1);
        }
    }

    void goToStart() {
        if (session.hasReplay()) {
            session.execution().seek(Kind.ENTRY, "to the start", travel -> travel.seek(0), -1);
        } else {
            session.mi().console("monitor seek START");
            session.refresh();
            session.execution().showEntry();
        }
    }

    private void goToMain() {
        Set<Integer> set = new HashSet<>();
        try {
            set.add(breakAt("main"));
        } catch (MiException e) {
            session.connection().output("console", "eremite: there is no main; this is the first instruction\n");
            session.execution().showEntry();
            return;
        }
        session.execution()
                .start(
                        new Movement(
                                Kind.ENTRY,
                                "to main",
                                "-exec-continue",
                                stop -> arrived(stop, set),
                                () -> set.forEach(each -> session.mi().command("-break-delete " + each))),
                        -1);
    }

    private int breakAt(String function) {
        return MiBreakpoint.of(session.mi()
                        .command("-break-insert --function " + MiClient.quoted(function))
                        .at("bkpt"))
                .number();
    }

    /** Rust and others have a main of their own, which that of C, without a source, calls. */
    private Optional<String> arrived(MiStop stop, Set<Integer> set) {
        boolean sourceless = session.mi()
                .command("-stack-info-frame")
                .at("frame")
                .text("fullname")
                .isEmpty();
        if (!sourceless || set.size() != 1 || !set.contains(stop.breakpoint())) {
            return Optional.empty();
        }
        for (MiValue file : session.mi()
                .command("-symbol-info-functions --name \"[:.]main$\" --max-results " + MOST_MAINS)
                .at("symbols")
                .list("debug")) {
            for (MiValue symbol : file.list("symbols")) {
                if (MAIN.matcher(symbol.text("name")).matches()) {
                    set.add(breakAt(symbol.text("name")));
                }
            }
        }
        return set.size() == 1 ? Optional.empty() : Optional.of("-exec-continue");
    }

    private void goToCrash() {
        OptionalLong signal = session.replay().ask(travel -> travel.deadlySignal());
        if (signal.isEmpty()) {
            session.connection().output("console", "eremite: no signal kills the program; this is the end\n");
            go(LaunchArguments.StopAt.END);
            return;
        }
        // The program stands where the signal comes; going on, once, shows it.
        boolean[] there = new boolean[1];
        Movement movement = new Movement(
                Kind.ENTRY,
                "to the crash",
                Movement.SEEK,
                stop -> {
                    boolean first = !there[0];
                    there[0] = true;
                    return first ? Optional.of("-exec-continue") : Optional.empty();
                },
                () -> {});
        session.execution().seek(movement, travel -> travel.seekArrival(signal.getAsLong()), -1);
    }
}
