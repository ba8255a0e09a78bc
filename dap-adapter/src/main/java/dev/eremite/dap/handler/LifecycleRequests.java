package dev.eremite.dap.handler;

import dev.eremite.dap.mi.MiException;
import dev.eremite.dap.protocol.Call;
import dev.eremite.dap.protocol.RequestFailure;
import dev.eremite.dap.protocol.RequestTable;
import dev.eremite.dap.protocol.RequestTable.Lane;
import dev.eremite.dap.session.Session;
import org.eclipse.lsp4j.debug.ConfigurationDoneArguments;
import org.eclipse.lsp4j.debug.DisconnectArguments;
import org.eclipse.lsp4j.debug.InitializeRequestArguments;
import org.eclipse.lsp4j.debug.RestartArguments;
import org.eclipse.lsp4j.debug.TerminateArguments;

/** Beginning and end of a session. */
public final class LifecycleRequests {
    private final Session session;
    private final Entry entry;
    private LaunchArguments launched;
    private boolean initialized;

    /** Requests of a session. */
    public LifecycleRequests(Session session) {
        this.session = session;
        this.entry = new Entry(session);
    }

    /** Adds them to a table. */
    public void addTo(RequestTable table) {
        table.on("initialize", InitializeRequestArguments.class, this::initialize)
                .on("launch", LaunchArguments.class, this::launch)
                .on("attach", LaunchArguments.class, this::attach)
                .on("configurationDone", ConfigurationDoneArguments.class, this::configurationDone)
                .on("restart", RestartArguments.class, this::restart)
                .on("disconnect", DisconnectArguments.class, Lane.URGENT, (arguments, call) -> end())
                .on("terminate", TerminateArguments.class, Lane.URGENT, this::terminate);
    }

    private Object initialize(InitializeRequestArguments arguments, Call call) {
        if (initialized) {
            throw new RequestFailure("initialize comes once");
        }
        initialized = true;
        session.client(arguments);
        return Abilities.capabilities();
    }

    private Object launch(LaunchArguments arguments, Call call) {
        once(arguments);
        arguments.stopAt();
        String recording = arguments.recording;
        if (arguments.program != null) {
            if (recording != null) {
                throw new RequestFailure("launch takes a recording, or a program to record, not both");
            }
            recording = new Recording(session).record(arguments, call);
            if (Boolean.TRUE.equals(arguments.noDebug)) {
                call.afterwards(session::terminated);
                return null;
            }
        }
        session.open(
                recording == null || recording.isEmpty() ? "latest" : recording,
                arguments.process == null ? 0 : arguments.process,
                arguments.gdb(),
                arguments.setup());
        return ready(call);
    }

    private Object attach(LaunchArguments arguments, Call call) {
        once(arguments);
        String host = arguments.host == null || arguments.host.isEmpty() ? "127.0.0.1" : arguments.host;
        if (!host.matches("[\\w.:\\[\\]-]+")) {
            throw new RequestFailure("not the name of a host: " + host);
        }
        session.attach(host, arguments.checkedPort(), arguments.gdb(), arguments.setup());
        arguments.stopAt = "start";
        return ready(call);
    }

    private void once(LaunchArguments arguments) {
        if (launched != null && session.client() != null) {
            throw new RequestFailure("this session debugs something already");
        }
        launched = arguments;
        session.trace(Boolean.TRUE.equals(arguments.trace));
    }

    private Object ready(Call call) {
        call.afterwards(() -> session.connection().event("initialized", null));
        return null;
    }

    private Object configurationDone(ConfigurationDoneArguments arguments, Call call) {
        session.mi();
        if (session.execution().started()) {
            return null;
        }
        LaunchArguments.StopAt where = launched.stopAt();
        call.afterwards(() -> {
            try {
                entry.go(where);
            } catch (MiException | RequestFailure e) {
                session.connection().output("console", "eremite: " + e.getMessage() + "\n");
                session.execution().showEntry();
            }
        });
        return null;
    }

    /** Of a recording there is nothing to start again: it goes to its start. */
    private Object restart(RestartArguments arguments, Call call) {
        session.mi();
        session.execution().halt();
        call.afterwards(() -> {
            // Clients that know of no such request would take the stop for another thread's, and let that one go on.
            session.execution().tellResumed();
            entry.goToStart();
        });
        return null;
    }

    /** At once, because a program may be being recorded that never ends; the event comes behind what is refused so. */
    private Object terminate(TerminateArguments arguments, Call call) {
        session.close();
        call.afterwards(() -> session.connection().dispatcher().inTurn(session::terminated));
        return null;
    }

    private Object end() {
        session.close();
        session.connection().stop();
        return null;
    }
}
