package dev.eremite.dap.handler;

import dev.eremite.dap.protocol.Call;
import dev.eremite.dap.session.Session;
import org.eclipse.lsp4j.debug.InvalidatedAreas;
import org.eclipse.lsp4j.debug.InvalidatedEventArguments;
import org.eclipse.lsp4j.debug.MemoryEventArguments;

/** What the user changes goes into a throw-away copy of the program: says so, and lets the client look anew. */
public final class Changes {
    private static final String NOTE = "eremite: changed in a copy of the program; the next movement drops it, "
            + "and the recording stays as it is\n";

    private final Session session;
    private boolean told;

    /** Changes in a session. */
    public Changes(Session session) {
        this.session = session;
        session.onStop(() -> told = false);
    }

    /** Something has been changed; the client hears of it after the response. */
    void made(Call call) {
        made(call, null);
    }

    /** Memory has been changed; the client hears of it after the response. */
    void made(Call call, MemoryEventArguments memory) {
        boolean first = !told;
        told = true;
        call.afterwards(() -> {
            if (first && session.hasReplay()) {
                session.connection().output("console", NOTE);
            }
            if (memory != null && session.client(client -> client.getSupportsMemoryEvent())) {
                session.connection().event("memory", memory);
            }
            if (session.client(client -> client.getSupportsInvalidatedEvent())) {
                InvalidatedEventArguments event = new InvalidatedEventArguments();
                event.setAreas(new String[] {InvalidatedAreas.VARIABLES});
                session.connection().event("invalidated", event);
            }
        });
    }
}
