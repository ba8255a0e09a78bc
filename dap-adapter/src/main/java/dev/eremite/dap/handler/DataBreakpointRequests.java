package dev.eremite.dap.handler;

import dev.eremite.dap.mi.MiClient;
import dev.eremite.dap.mi.MiException;
import dev.eremite.dap.mi.MiValue;
import dev.eremite.dap.protocol.Call;
import dev.eremite.dap.protocol.RequestFailure;
import dev.eremite.dap.protocol.RequestTable;
import dev.eremite.dap.protocol.RequestTable.Lane;
import dev.eremite.dap.session.BreakpointBook;
import dev.eremite.dap.session.Frames;
import dev.eremite.dap.session.HitCondition;
import dev.eremite.dap.session.Session;
import dev.eremite.dap.session.Variables;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.lsp4j.debug.Breakpoint;
import org.eclipse.lsp4j.debug.BreakpointNotVerifiedReason;
import org.eclipse.lsp4j.debug.DataBreakpoint;
import org.eclipse.lsp4j.debug.DataBreakpointAccessType;
import org.eclipse.lsp4j.debug.DataBreakpointInfoArguments;
import org.eclipse.lsp4j.debug.DataBreakpointInfoResponse;
import org.eclipse.lsp4j.debug.SetDataBreakpointsArguments;
import org.eclipse.lsp4j.debug.SetDataBreakpointsResponse;

/** Breakpoints at changes of data: with {@code reverseContinue} they tell who wrote a value last. */
public final class DataBreakpointRequests {
    private static final int MOST_BYTES = 1 << 20;

    private final Session session;
    private final Frames frames;
    private final Variables variables;
    private final BreakpointGroup<Wanted> group;

    private record Wanted(String id, DataBreakpointAccessType access, String condition, String hits) {}

    /** Requests of a session. */
    public DataBreakpointRequests(Session session, Frames frames, Variables variables) {
        this.session = session;
        this.frames = frames;
        this.variables = variables;
        this.group = new BreakpointGroup<>(session);
    }

    /** Adds them to a table. */
    public void addTo(RequestTable table) {
        table.on("dataBreakpointInfo", DataBreakpointInfoArguments.class, Lane.VIEW, this::info)
                .on("setDataBreakpoints", SetDataBreakpointsArguments.class, this::set);
    }

    private Object info(DataBreakpointInfoArguments arguments, Call call) {
        session.stoppedMi();
        DataBreakpointInfoResponse response = new DataBreakpointInfoResponse();
        try {
            DataPlace place = find(arguments);
            response.setDataId(place.id());
            response.setDescription(place.expression());
            response.setAccessTypes(DataBreakpointAccessType.values());
            // Addresses are the same in each replay, but a variable on the stack is not at one in all of its frames.
            response.setCanPersist(false);
        } catch (MiException | RequestFailure e) {
            response.setDescription("no data breakpoint for " + arguments.getName() + ": " + e.getMessage());
        }
        return response;
    }

    private DataPlace find(DataBreakpointInfoArguments arguments) {
        if (Boolean.TRUE.equals(arguments.getAsAddress())) {
            int bytes = arguments.getBytes() == null ? 8 : Math.clamp(arguments.getBytes(), 1, MOST_BYTES);
            return new DataPlace(Addresses.parse(arguments.getName()), bytes, "", arguments.getName());
        }
        String expression = arguments.getName();
        Frames.Place place = arguments.getFrameId() == null ? null : frames.get(arguments.getFrameId());
        if (arguments.getVariablesReference() != null && arguments.getVariablesReference() > 0) {
            Variables.Known known = variables.known(arguments.getVariablesReference(), arguments.getName());
            expression = known.expression();
            place = known.place();
        }
        if (expression.isEmpty()) {
            throw new RequestFailure("a pretty printer shows it, so that its address is not known");
        }
        long address = number("&(" + expression + ")", place);
        long bytes = arguments.getBytes() == null ? number("sizeof(" + expression + ")", place) : arguments.getBytes();
        if (bytes < 1 || bytes > MOST_BYTES) {
            throw new RequestFailure("it has " + bytes + " bytes; at most " + MOST_BYTES + " can be watched");
        }
        String type = variables.create(place, expression).type();
        return new DataPlace(address, (int) bytes, type, expression);
    }

    private long number(String expression, Frames.Place place) {
        // As an integer: pointers are printed with types, symbols and strings.
        String value = variables.create(place, expression).value();
        String first = value.replaceFirst("^\\([^)]*\\) *", "").split("[ <]", 2)[0];
        return Addresses.parse(first);
    }

    private Object set(SetDataBreakpointsArguments arguments, Call call) {
        session.mi();
        List<Wanted> wanted = new ArrayList<>();
        for (DataBreakpoint each : arguments.getBreakpoints()) {
            DataBreakpointAccessType access =
                    each.getAccessType() == null ? DataBreakpointAccessType.WRITE : each.getAccessType();
            wanted.add(new Wanted(each.getDataId(), access, each.getCondition(), each.getHitCondition()));
        }
        SetDataBreakpointsResponse response = new SetDataBreakpointsResponse();
        session.execution().whileStopped(() -> response.setBreakpoints(group.set(wanted, this::insert)));
        return response;
    }

    private Breakpoint insert(Wanted wanted) {
        Breakpoint shown = new Breakpoint();
        try {
            DataPlace place = DataPlace.parse(wanted.id);
            HitCondition hits = HitCondition.parse(wanted.hits);
            int number = watch(place, wanted.access);
            BreakpointGroup.condition(session, number, wanted.condition);
            session.book().add(number, new BreakpointBook.Entry(BreakpointBook.Kind.DATA, place.expression(), hits));
            shown.setId(number);
            shown.setVerified(true);
        } catch (MiException | RequestFailure e) {
            shown.setVerified(false);
            shown.setMessage(e.getMessage());
            shown.setReason(BreakpointNotVerifiedReason.FAILED);
        }
        return shown;
    }

    private int watch(DataPlace place, DataBreakpointAccessType access) {
        String option = switch (access) {
            case WRITE -> "";
            case READ -> "-r ";
            case READ_WRITE -> "-a ";
        };
        // An address has no scope, other than a variable: the watchpoint stays when its function returns.
        session.mi().command("-gdb-set language c++");
        try {
            MiException refused = null;
            for (String expression : place.watchable()) {
                try {
                    MiValue made = session.mi().command("-break-watch " + option + MiClient.quoted(expression));
                    for (String kind : new String[] {"wpt", "hw-rwpt", "hw-awpt"}) {
                        if (made.has(kind)) {
                            return (int) made.at(kind).number("number", 0);
                        }
                    }
                } catch (MiException e) {
                    refused = e;
                }
            }
            throw refused == null ? new MiException("no watchpoint was made") : refused;
        } finally {
            session.mi().command("-gdb-set language auto");
        }
    }
}
