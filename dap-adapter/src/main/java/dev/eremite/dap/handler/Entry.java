package dev.eremite.dap.handler;

import dev.eremite.dap.mi.MiException;
import dev.eremite.dap.mi.MiStop;
import dev.eremite.dap.mi.MiValue;
import dev.eremite.dap.session.Movement;
import dev.eremite.dap.session.Movement.Kind;
import dev.eremite.dap.session.Session;
import java.util.Optional;
import java.util.OptionalLong;

/** Goes to where a session begins. */
final class Entry {
    private static final int MAX_ONWARD = 8;

    private final Session session;
    private int onward;

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
        MiValue breakpoint;
        try {
            breakpoint = session.mi().command("-break-insert main").at("bkpt");
        } catch (MiException e) {
            session.connection().output("console", "eremite: there is no main; this is the first instruction\n");
            session.execution().showEntry();
            return;
        }
        int number = (int) breakpoint.number("number", 0);
        session.execution()
                .start(new Movement(Kind.ENTRY, "to main", "-exec-continue", stop -> arrived(stop, number)), -1);
    }

    /** Rust and others have a main of their own, which the one of the C library's start calls. */
    private Optional<String> arrived(MiStop stop, int number) {
        MiValue frame = session.mi().command("-stack-info-frame").at("frame");
        if (stop.breakpoint() == number && frame.text("fullname").isEmpty() && onward++ < MAX_ONWARD) {
            MiValue places = session.mi().command("-break-info " + number);
            if (places.toString().contains("fullname")) {
                return Optional.of("-exec-continue");
            }
        }
        session.mi().command("-break-delete " + number);
        return Optional.empty();
    }

    private void goToCrash() {
        OptionalLong signal = session.replay().ask(travel -> travel.deadlySignal());
        if (signal.isEmpty()) {
            session.connection().output("console", "eremite: no signal kills the program; this is the end\n");
            go(LaunchArguments.StopAt.END);
            return;
        }
        session.execution().seek(Kind.ENTRY, "to the crash", travel -> travel.seekArrival(signal.getAsLong()), -1);
    }
}
