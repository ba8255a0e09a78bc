package dev.eremite.dap.handler;

import dev.eremite.dap.mi.MiClient;
import dev.eremite.dap.mi.MiException;
import dev.eremite.dap.mi.MiValue;
import dev.eremite.dap.mi.MiVariable;
import dev.eremite.dap.protocol.Call;
import dev.eremite.dap.protocol.RequestTable;
import dev.eremite.dap.protocol.RequestTable.Lane;
import dev.eremite.dap.session.Frames;
import dev.eremite.dap.session.Session;
import dev.eremite.dap.session.Variables;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.eclipse.lsp4j.debug.Scope;
import org.eclipse.lsp4j.debug.ScopesArguments;
import org.eclipse.lsp4j.debug.ScopesResponse;
import org.eclipse.lsp4j.debug.Variable;
import org.eclipse.lsp4j.debug.VariablesArguments;
import org.eclipse.lsp4j.debug.VariablesResponse;

/** Scopes and variables. */
public final class VariableRequests {
    private final Session session;
    private final Frames frames;
    private final Variables variables;
    private final Children children;
    private final Globals globals;

    /** Requests of a session. */
    public VariableRequests(Session session, Frames frames, Variables variables, Children children) {
        this.session = session;
        this.frames = frames;
        this.variables = variables;
        this.children = children;
        this.globals = new Globals(session);
    }

    /** Adds them to a table. */
    public void addTo(RequestTable table) {
        table.on("scopes", ScopesArguments.class, Lane.VIEW, this::scopes)
                .on("variables", VariablesArguments.class, Lane.VIEW, this::variables);
    }

    private Object scopes(ScopesArguments arguments, Call call) {
        if (session.execution().running()) {
            // Asked for at the stop before, by a client that then has moved on.
            ScopesResponse none = new ScopesResponse();
            none.setScopes(new Scope[0]);
            return none;
        }
        session.stoppedMi();
        Frames.Place place = frames.get(arguments.getFrameId());
        List<Scope> scopes = new ArrayList<>();
        String result = session.execution().lastStop() == null
                ? ""
                : session.execution().lastStop().result();
        if (!result.isEmpty() && place.frame().level() == 0) {
            scopes.add(scope("Return Value", "returnValue", new Variables.Returned(result)));
        }
        if (!place.frame().path().isEmpty()) {
            scopes.add(scope("Arguments", "arguments", new Variables.Arguments(place)));
            scopes.add(scope("Locals", "locals", new Variables.Locals(place)));
            Scope globalScope = scope("Globals", "globals", new Variables.Globals(place));
            globalScope.setExpensive(true);
            scopes.add(globalScope);
        }
        Scope registers = scope("Registers", "registers", new Variables.Registers(place));
        registers.setExpensive(true);
        scopes.add(registers);
        ScopesResponse response = new ScopesResponse();
        response.setScopes(scopes.toArray(Scope[]::new));
        return response;
    }

    private Scope scope(String name, String hint, Variables.Container container) {
        Scope scope = new Scope();
        scope.setName(name);
        scope.setPresentationHint(hint);
        scope.setVariablesReference(variables.add(container));
        return scope;
    }

    private Object variables(VariablesArguments arguments, Call call) {
        session.stoppedMi();
        int reference = arguments.getVariablesReference();
        List<Variable> shown = switch (variables.get(reference)) {
            case Variables.Arguments(Frames.Place place) -> ofFrame(reference, place, true);
            case Variables.Locals(Frames.Place place) -> ofFrame(reference, place, false);
            case Variables.Globals(Frames.Place place) -> created(reference, place, globals.of(place));
            case Variables.Registers(Frames.Place place) -> Registers.list(session, place);
            case Variables.Returned(String name) -> created(reference, null, Set.of(name));
            case Variables.Opened opened -> children.list(reference, opened, arguments);
        };
        VariablesResponse response = new VariablesResponse();
        response.setVariables(shown.toArray(Variable[]::new));
        return response;
    }

    private List<Variable> ofFrame(int reference, Frames.Place place, boolean arguments) {
        Set<String> names = new LinkedHashSet<>();
        for (MiValue each : session.mi()
                .command("-stack-list-variables" + place.options() + "--no-values")
                .list("variables")) {
            if (each.has("arg") == arguments) {
                names.add(each.text("name"));
            }
        }
        return created(reference, place, names);
    }

    /** One variable object for each name; all are asked for before the first answer is waited for. */
    private List<Variable> created(int reference, Frames.Place place, Set<String> names) {
        String options = place == null ? " " : place.options();
        List<CompletableFuture<MiValue>> answers = new ArrayList<>();
        names.forEach(name -> answers.add(session.mi().send("-var-create" + options + "- * " + MiClient.quoted(name))));
        List<Variable> shown = new ArrayList<>();
        int at = 0;
        for (String name : names) {
            try {
                MiVariable made = MiVariable.of(MiClient.await(answers.get(at++)));
                variables.made(made);
                variables.note(reference, name, new Variables.Known(made, name, place));
                shown.add(children.show(made, name, name, place));
            } catch (MiException e) {
                shown.add(unreadable(name, e.getMessage()));
            }
        }
        children.summarize(shown, place);
        return shown;
    }

    private static Variable unreadable(String name, String reason) {
        Variable variable = new Variable();
        variable.setName(name);
        variable.setValue("<" + reason + ">");
        return variable;
    }
}
