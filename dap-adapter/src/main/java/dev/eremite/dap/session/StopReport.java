package dev.eremite.dap.session;

import dev.eremite.dap.mi.MiStop;
import dev.eremite.replay.debug.Stop;
import dev.eremite.replay.debug.Stop.Reason;
import java.util.Optional;
import org.eclipse.lsp4j.debug.StoppedEventArguments;

/** Words stops for the client: what GDB says, corrected by what the engine knows. */
final class StopReport {
    private static final String INTERRUPT = "SIGINT";

    private final BreakpointBook book;

    StopReport(BreakpointBook book) {
        this.book = book;
    }

    /**
     * Whether a stop is the doing of who asked the engine to stop, and not the program's own.
     *
     * @param engine the engine's stop; null where the engine is elsewhere, and GDB's word has to do
     */
    static boolean interrupted(MiStop stop, Stop engine) {
        return engine == null ? stop.signal().equals(INTERRUPT) : engine.reason() == Reason.INTERRUPTED;
    }

    /**
     * The body of a {@code stopped} event.
     *
     * @param movement what led to it; null if nothing did
     * @param engine the engine's stop; null where the engine is elsewhere
     * @param notice what the engine said with it; empty if nothing
     */
    StoppedEventArguments word(Movement movement, MiStop stop, Stop engine, String notice) {
        StoppedEventArguments event = new StoppedEventArguments();
        event.setAllThreadsStopped(true);
        if (stop.thread() > 0) {
            event.setThreadId(stop.thread());
        }
        if (!endOfHistory(event, stop, engine, notice) && !hit(event, stop)) {
            other(event, movement, stop, interrupted(stop, engine));
        }
        return event;
    }

    /** GDB 13 gives no reason at the ends, later ones do not tell which end. */
    private static boolean endOfHistory(StoppedEventArguments event, MiStop stop, Stop engine, String notice) {
        if (engine != null && engine.reason() == Reason.HISTORY_BEGIN) {
            return worded(event, "entry", "the beginning of the recording", "There is no history before this place.");
        }
        if (engine != null && engine.reason() == Reason.HISTORY_END) {
            String ending = notice.replace("eremite: ", "").strip();
            String text = ending.isEmpty() ? "The recording ends here." : "The end of the recording: " + ending + ".";
            return worded(event, "end", "the end of the recording", text);
        }
        boolean silent =
                engine == null && (stop.reason().isEmpty() || stop.reason().equals("no-history"));
        return silent && worded(event, "end", "the end of history", "The recording begins or ends here.");
    }

    private boolean hit(StoppedEventArguments event, MiStop stop) {
        Optional<BreakpointBook.Entry> found = book.find(stop.breakpoint());
        if (found.isEmpty()) {
            return false;
        }
        BreakpointBook.Entry entry = found.get();
        event.setHitBreakpointIds(new Integer[] {stop.breakpoint()});
        event.setReason(entry.kind().reason());
        switch (entry.kind()) {
            case DATA -> {
                boolean changed = !stop.oldValue().equals(stop.newValue());
                String values = changed ? stop.oldValue() + " → " + stop.newValue() : stop.newValue();
                worded(event, event.getReason(), "data breakpoint: " + entry.label(), entry.label() + ": " + values);
            }
            case EXCEPTION -> worded(event, event.getReason(), entry.label(), entry.label());
            case SOURCE, FUNCTION, INSTRUCTION -> {}
        }
        return true;
    }

    private static void other(StoppedEventArguments event, Movement movement, MiStop stop, boolean interrupted) {
        Movement.Kind kind = movement == null ? Movement.Kind.CONSOLE : movement.kind();
        if (stop.reason().equals("signal-received") && !interrupted) {
            String text = stop.signal() + ": " + stop.signalMeaning();
            worded(event, "exception", "signal " + stop.signal(), text);
        } else if (kind == Movement.Kind.GOTO) {
            event.setReason("goto");
        } else if (kind == Movement.Kind.ENTRY) {
            event.setReason("entry");
        } else if (stop.reason().equals("signal-received")) {
            event.setReason("pause");
        } else if (stop.reason().equals("breakpoint-hit")) {
            event.setReason("breakpoint");
        } else {
            event.setReason("step");
        }
    }

    private static boolean worded(StoppedEventArguments event, String reason, String description, String text) {
        event.setReason(reason);
        event.setDescription("Paused at " + description);
        event.setText(text);
        return true;
    }
}
