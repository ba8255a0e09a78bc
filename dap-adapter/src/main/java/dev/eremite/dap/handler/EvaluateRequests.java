package dev.eremite.dap.handler;

import dev.eremite.dap.mi.MiClient;
import dev.eremite.dap.mi.MiException;
import dev.eremite.dap.mi.MiVariable;
import dev.eremite.dap.protocol.Call;
import dev.eremite.dap.protocol.RequestFailure;
import dev.eremite.dap.protocol.RequestTable;
import dev.eremite.dap.protocol.RequestTable.Lane;
import dev.eremite.dap.session.Frames;
import dev.eremite.dap.session.Session;
import dev.eremite.dap.session.Variables;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.lsp4j.debug.EvaluateArguments;
import org.eclipse.lsp4j.debug.EvaluateArgumentsContext;
import org.eclipse.lsp4j.debug.EvaluateResponse;
import org.eclipse.lsp4j.debug.Variable;

/** Expressions, and commands typed in the console. */
public final class EvaluateRequests {
    private static final Pattern ASSIGNMENT = Pattern.compile("\\+\\+|--|(?<![=!<>])=(?!=)|<<=|>>=");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_]\\w*((\\.|->)[A-Za-z_]\\w*|\\[\\w+])*");

    /** What gdb says of an expression whose first word is no command, or the abbreviation of one. */
    private static final Pattern UNDEFINED = Pattern.compile("^Undefined (\\w+ )*command");

    /** Commands of the engine that go elsewhere, as {@code monitor help} tells. */
    private static final Pattern TRAVEL =
            Pattern.compile("mon(i|it|ito|itor)?\\s+(?<command>(seek|restart|last-write|output)\\s+\\S.*)");

    private final Session session;
    private final Frames frames;
    private final Variables variables;
    private final Children children;

    /** Requests of a session. */
    public EvaluateRequests(Session session, Frames frames, Variables variables, Children children) {
        this.session = session;
        this.frames = frames;
        this.variables = variables;
        this.children = children;
    }

    /** Adds them to a table. */
    public void addTo(RequestTable table) {
        table.on("evaluate", EvaluateArguments.class, Lane.EXPRESSION, this::evaluate);
    }

    private Object evaluate(EvaluateArguments arguments, Call call) {
        session.stoppedMi();
        Frames.Place place = arguments.getFrameId() == null ? null : frames.get(arguments.getFrameId());
        String text = arguments.getExpression().strip();
        String context = arguments.getContext() == null ? "" : arguments.getContext();
        return switch (context) {
            case EvaluateArgumentsContext.REPL -> {
                Matcher command = TRAVEL.matcher(text);
                yield command.matches() && session.hasReplay()
                        ? travel(command.group("command"), call)
                        : console(text, place);
            }
            case EvaluateArgumentsContext.HOVER -> hover(text, place);
            default -> value(text, place);
        };
    }

    /** Looking at something must not change it. */
    private Object hover(String text, Frames.Place place) {
        if (ASSIGNMENT.matcher(text).find()) {
            throw new RequestFailure("not evaluated, because it would change something: " + text);
        }
        session.mi().command("-gdb-set may-call-functions off");
        try {
            // This one fails where a function would be called; a variable object is made all the same.
            session.mi()
                    .command("-data-evaluate-expression" + (place == null ? " " : place.options())
                            + MiClient.quoted(text));
            return value(text, place);
        } finally {
            session.mi().command("-gdb-set may-call-functions on");
        }
    }

    private EvaluateResponse value(String text, Frames.Place place) {
        if (text.isEmpty()) {
            throw new RequestFailure("there is nothing to evaluate");
        }
        MiVariable made = variables.create(place, text);
        Variable shown = children.show(made, text, text, place);
        children.summarize(List.of(shown), place);
        EvaluateResponse response = new EvaluateResponse();
        response.setResult(shown.getValue());
        response.setType(shown.getType());
        response.setVariablesReference(shown.getVariablesReference());
        response.setIndexedVariables(shown.getIndexedVariables());
        response.setMemoryReference(shown.getMemoryReference());
        return response;
    }

    /** A variable by its name; everything else is GDB's, and what GDB does not know as a command may be an expression. */
    private Object console(String text, Frames.Place place) {
        if (NAME.matcher(text).matches()) {
            try {
                return value(text, place);
            } catch (MiException e) {
                // Then it is a command.
                return command(text, place);
            }
        }
        return command(text, place);
    }

    /** A command that goes elsewhere is a movement, so that gdb and the client look at everything anew. */
    private EvaluateResponse travel(String command, Call call) {
        session.execution().travel(command, call.sequence());
        call.afterwards(session.execution()::tellResumed);
        EvaluateResponse response = new EvaluateResponse();
        response.setResult("");
        return response;
    }

    private Object command(String text, Frames.Place place) {
        MiClient mi = session.mi();
        if (place != null) {
            mi.command("-thread-select " + place.thread());
            mi.command("-stack-select-frame " + place.frame().level());
        }
        String printed;
        try {
            printed = mi.console(text);
        } catch (MiException e) {
            if (!UNDEFINED.matcher(e.getMessage()).find()) {
                throw e;
            }
            return value(text, place);
        }
        EvaluateResponse response = new EvaluateResponse();
        response.setResult(printed.stripTrailing());
        return response;
    }
}
