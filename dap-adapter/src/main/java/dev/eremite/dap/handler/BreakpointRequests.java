package dev.eremite.dap.handler;

import dev.eremite.dap.mi.MiBreakpoint;
import dev.eremite.dap.mi.MiClient;
import dev.eremite.dap.mi.MiException;
import dev.eremite.dap.protocol.Call;
import dev.eremite.dap.protocol.RequestFailure;
import dev.eremite.dap.protocol.RequestTable;
import dev.eremite.dap.session.BreakpointBook;
import dev.eremite.dap.session.BreakpointBook.Kind;
import dev.eremite.dap.session.HitCondition;
import dev.eremite.dap.session.Printers;
import dev.eremite.dap.session.Session;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.lsp4j.debug.Breakpoint;
import org.eclipse.lsp4j.debug.BreakpointEventArguments;
import org.eclipse.lsp4j.debug.BreakpointEventArgumentsReason;
import org.eclipse.lsp4j.debug.BreakpointNotVerifiedReason;
import org.eclipse.lsp4j.debug.FunctionBreakpoint;
import org.eclipse.lsp4j.debug.InstructionBreakpoint;
import org.eclipse.lsp4j.debug.SetBreakpointsArguments;
import org.eclipse.lsp4j.debug.SetBreakpointsResponse;
import org.eclipse.lsp4j.debug.SetFunctionBreakpointsArguments;
import org.eclipse.lsp4j.debug.SetFunctionBreakpointsResponse;
import org.eclipse.lsp4j.debug.SetInstructionBreakpointsArguments;
import org.eclipse.lsp4j.debug.SetInstructionBreakpointsResponse;
import org.eclipse.lsp4j.debug.SourceBreakpoint;

/** Breakpoints at lines, functions and instructions. Each request names all that there are to be of its kind. */
public final class BreakpointRequests {
    private final Session session;
    private final LogPoints logPoints;
    /** What is set, by group: a source file, or a kind. */
    private final Map<String, BreakpointGroup<Wanted>> groups = new HashMap<>();

    /**
     * What a client asks for.
     *
     * @param path the source, or null
     * @param line its line, from 1 on; 0 without a source
     */
    private record Wanted(
            Kind kind,
            String place,
            List<String> python,
            String path,
            int line,
            String condition,
            String hits,
            String log) {
        /** A breakpoint elsewhere than at a line. */
        static Wanted at(Kind kind, String place, String condition, String hits) {
            return new Wanted(kind, place, List.of(), null, 0, condition, hits, null);
        }
    }

    /** Requests of a session. */
    public BreakpointRequests(Session session) {
        this.session = session;
        this.logPoints = new LogPoints(session);
        session.onFound(this::found);
    }

    /** A library has been loaded that has the code for a breakpoint. */
    private void found(MiBreakpoint made) {
        for (BreakpointGroup<Wanted> group : groups.values()) {
            for (Breakpoint shown : group.shown()) {
                if (Integer.valueOf(made.number()).equals(shown.getId())) {
                    shown.setMessage(null);
                    shown.setReason(null);
                    show(shown, made);
                    BreakpointEventArguments event = new BreakpointEventArguments();
                    event.setReason(BreakpointEventArgumentsReason.CHANGED);
                    event.setBreakpoint(shown);
                    session.connection().event("breakpoint", event);
                    return;
                }
            }
        }
    }

    /** Adds them to a table. */
    public void addTo(RequestTable table) {
        table.on("setBreakpoints", SetBreakpointsArguments.class, this::setBreakpoints)
                .on("setFunctionBreakpoints", SetFunctionBreakpointsArguments.class, this::setFunctions)
                .on("setInstructionBreakpoints", SetInstructionBreakpointsArguments.class, this::setInstructions);
    }

    private Object setBreakpoints(SetBreakpointsArguments arguments, Call call) {
        String path = arguments.getSource().getPath();
        if (path == null || path.isEmpty()) {
            throw new RequestFailure("breakpoints need a source with a path");
        }
        List<Wanted> wanted = new ArrayList<>();
        for (SourceBreakpoint each : orNone(arguments.getBreakpoints(), new SourceBreakpoint[0])) {
            int line = session.fromClientLine(each.getLine());
            String place = "--source " + MiClient.quoted(path) + " --line " + line;
            List<String> python = List.of("'source': " + Printers.python(path), "'line': " + line);
            wanted.add(new Wanted(
                    Kind.SOURCE,
                    place,
                    python,
                    path,
                    line,
                    each.getCondition(),
                    each.getHitCondition(),
                    each.getLogMessage()));
        }
        SetBreakpointsResponse response = new SetBreakpointsResponse();
        response.setBreakpoints(set(path, wanted));
        return response;
    }

    private Object setFunctions(SetFunctionBreakpointsArguments arguments, Call call) {
        List<Wanted> wanted = new ArrayList<>();
        for (FunctionBreakpoint each : arguments.getBreakpoints()) {
            String place = "--function " + MiClient.quoted(each.getName());
            wanted.add(Wanted.at(Kind.FUNCTION, place, each.getCondition(), each.getHitCondition()));
        }
        SetFunctionBreakpointsResponse response = new SetFunctionBreakpointsResponse();
        response.setBreakpoints(set(":functions", wanted));
        return response;
    }

    private Object setInstructions(SetInstructionBreakpointsArguments arguments, Call call) {
        List<Wanted> wanted = new ArrayList<>();
        for (InstructionBreakpoint each : arguments.getBreakpoints()) {
            long address =
                    Addresses.parse(each.getInstructionReference()) + (each.getOffset() == null ? 0 : each.getOffset());
            String place = "*0x" + Long.toHexString(address);
            wanted.add(Wanted.at(Kind.INSTRUCTION, place, each.getCondition(), each.getHitCondition()));
        }
        SetInstructionBreakpointsResponse response = new SetInstructionBreakpointsResponse();
        response.setBreakpoints(set(":instructions", wanted));
        return response;
    }

    private static <T> T[] orNone(T[] given, T[] none) {
        return given == null ? none : given;
    }

    private Breakpoint[] set(String group, List<Wanted> wanted) {
        session.mi();
        AtomicReference<Breakpoint[]> result = new AtomicReference<>();
        session.execution()
                .whileStopped(() -> result.set(groups.computeIfAbsent(group, _ -> new BreakpointGroup<>(session))
                        .set(wanted, this::insert)));
        return result.get();
    }

    private Breakpoint insert(Wanted wanted) {
        Breakpoint shown = new Breakpoint();
        if (wanted.path != null) {
            // Also of one that cannot be set: by its line clients find which one that is.
            shown.setSource(StackRequests.source(wanted.path));
            shown.setLine(session.toClientLine(wanted.line));
        }
        try {
            HitCondition hits = HitCondition.parse(wanted.hits);
            String condition = wanted.condition == null ? "" : wanted.condition.strip();
            MiBreakpoint made;
            if (wanted.log != null && !wanted.log.isEmpty()) {
                if (wanted.hits != null && !wanted.hits.isBlank()) {
                    throw new RequestFailure("a log message cannot have a hit condition; give it a condition instead");
                }
                made = logPoints.insert(wanted.python, condition, wanted.log);
            } else {
                String option = condition.isEmpty() ? "" : "-c " + MiClient.quoted(condition) + " ";
                made = MiBreakpoint.of(session.mi()
                        .command("-break-insert -f " + option + wanted.place)
                        .at("bkpt"));
            }
            session.book().add(made.number(), new BreakpointBook.Entry(wanted.kind, wanted.place, hits));
            show(shown, made);
            if (wanted.kind == Kind.INSTRUCTION && !isMapped(made.address())) {
                shown.setVerified(false);
                shown.setMessage("no memory is mapped here at the moment");
                shown.setReason(BreakpointNotVerifiedReason.PENDING);
            }
        } catch (MiException | RequestFailure e) {
            shown.setVerified(false);
            shown.setMessage(e.getMessage());
            shown.setReason(BreakpointNotVerifiedReason.FAILED);
        }
        return shown;
    }

    private void show(Breakpoint shown, MiBreakpoint made) {
        shown.setId(made.number());
        shown.setVerified(!made.pending());
        if (made.pending()) {
            shown.setMessage("no code for this has been found in what is loaded here");
            shown.setReason(BreakpointNotVerifiedReason.PENDING);
            session.book().await(made.number());
            return;
        }
        if (made.line() > 0) {
            shown.setLine(session.toClientLine(made.line()));
            shown.setSource(StackRequests.source(made.path()));
        }
        shown.setInstructionReference("0x" + Long.toHexString(made.address()));
    }

    private boolean isMapped(long address) {
        try {
            session.mi().command("-data-read-memory-bytes 0x" + Long.toHexString(address) + " 1");
            return true;
        } catch (MiException e) {
            return false;
        }
    }
}
