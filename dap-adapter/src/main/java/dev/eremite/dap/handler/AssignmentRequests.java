package dev.eremite.dap.handler;

import dev.eremite.dap.mi.MiClient;
import dev.eremite.dap.mi.MiException;
import dev.eremite.dap.mi.MiVariable;
import dev.eremite.dap.protocol.Call;
import dev.eremite.dap.protocol.RequestFailure;
import dev.eremite.dap.protocol.RequestTable;
import dev.eremite.dap.session.Frames;
import dev.eremite.dap.session.Session;
import dev.eremite.dap.session.Variables;
import org.eclipse.lsp4j.debug.SetExpressionArguments;
import org.eclipse.lsp4j.debug.SetExpressionResponse;
import org.eclipse.lsp4j.debug.SetVariableArguments;
import org.eclipse.lsp4j.debug.SetVariableResponse;

/** New values for variables, in a throw-away copy of the program. */
public final class AssignmentRequests {
    private final Session session;
    private final Frames frames;
    private final Variables variables;
    private final Changes changes;

    /** Requests of a session. */
    public AssignmentRequests(Session session, Frames frames, Variables variables, Changes changes) {
        this.session = session;
        this.frames = frames;
        this.variables = variables;
        this.changes = changes;
    }

    /** Adds them to a table. */
    public void addTo(RequestTable table) {
        table.on("setVariable", SetVariableArguments.class, this::setVariable)
                .on("setExpression", SetExpressionArguments.class, this::setExpression);
    }

    private Object setVariable(SetVariableArguments arguments, Call call) {
        session.stoppedMi();
        int reference = arguments.getVariablesReference();
        SetVariableResponse response = new SetVariableResponse();
        if (variables.get(reference) instanceof Variables.Registers(Frames.Place place)) {
            if (!arguments.getName().matches("\\w+")) {
                throw new RequestFailure("there is no register " + arguments.getName());
            }
            MiVariable register = variables.create(place, "$" + arguments.getName());
            response.setValue(assign(register, arguments.getValue(), call));
            return response;
        }
        Variables.Known known = variables.known(reference, arguments.getName());
        response.setValue(assign(known.variable(), arguments.getValue(), call));
        response.setType(known.variable().type());
        return response;
    }

    private Object setExpression(SetExpressionArguments arguments, Call call) {
        session.stoppedMi();
        Frames.Place place = arguments.getFrameId() == null ? null : frames.get(arguments.getFrameId());
        MiVariable made = variables.create(place, arguments.getExpression());
        SetExpressionResponse response = new SetExpressionResponse();
        response.setValue(assign(made, arguments.getValue(), call));
        response.setType(made.type());
        return response;
    }

    private String assign(MiVariable variable, String value, Call call) {
        String now;
        try {
            now = session.mi()
                    .command("-var-assign " + variable.name() + " " + MiClient.quoted(value))
                    .text("value");
        } catch (MiException e) {
            throw new RequestFailure("it cannot be set to " + value + ": " + e.getMessage(), e);
        }
        changes.made(call);
        return now;
    }
}
