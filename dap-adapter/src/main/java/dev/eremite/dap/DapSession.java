package dev.eremite.dap;

import dev.eremite.dap.handler.AssignmentRequests;
import dev.eremite.dap.handler.BreakpointRequests;
import dev.eremite.dap.handler.Changes;
import dev.eremite.dap.handler.Children;
import dev.eremite.dap.handler.CompletionRequests;
import dev.eremite.dap.handler.DataBreakpointRequests;
import dev.eremite.dap.handler.EvaluateRequests;
import dev.eremite.dap.handler.ExceptionRequests;
import dev.eremite.dap.handler.ExecutionRequests;
import dev.eremite.dap.handler.JumpRequests;
import dev.eremite.dap.handler.LifecycleRequests;
import dev.eremite.dap.handler.MemoryRequests;
import dev.eremite.dap.handler.SourceRequests;
import dev.eremite.dap.handler.StackRequests;
import dev.eremite.dap.handler.TimeTravelRequests;
import dev.eremite.dap.handler.VariableRequests;
import dev.eremite.dap.protocol.Connection;
import dev.eremite.dap.protocol.RequestTable;
import dev.eremite.dap.session.Frames;
import dev.eremite.dap.session.Session;
import dev.eremite.dap.session.Variables;
import java.io.InputStream;
import java.io.OutputStream;

/** Serves one client of the Debug Adapter Protocol. */
public final class DapSession {
    private DapSession() {}

    /**
     * Serves until the client disconnects or closes its stream; then GDB and the replay have ended too.
     *
     * @param over is run when they have, which may be before the client leaves; from any thread, also twice
     */
    public static void serve(InputStream in, OutputStream out, Backend backend, Runnable over) {
        try (Session session = new Session(backend, over)) {
            Connection connection = new Connection(in, out, table(session));
            session.connect(connection);
            connection.listen();
        }
    }

    private static RequestTable table(Session session) {
        Frames frames = new Frames(session);
        Variables variables = new Variables(session);
        Children children = new Children(session, variables);
        RequestTable table = new RequestTable();
        new LifecycleRequests(session).addTo(table);
        new BreakpointRequests(session).addTo(table);
        new DataBreakpointRequests(session, frames, variables).addTo(table);
        new ExceptionRequests(session).addTo(table);
        JumpRequests jumps = new JumpRequests(session, frames);
        jumps.addTo(table);
        new ExecutionRequests(session, jumps).addTo(table);
        Changes changes = new Changes(session);
        new AssignmentRequests(session, frames, variables, changes).addTo(table);
        new MemoryRequests(session, changes).addTo(table);
        new SourceRequests(session).addTo(table);
        new CompletionRequests(session).addTo(table);
        new StackRequests(session, frames).addTo(table);
        new VariableRequests(session, frames, variables, children).addTo(table);
        new EvaluateRequests(session, frames, variables, children).addTo(table);
        new TimeTravelRequests(session).addTo(table);
        return table;
    }
}
