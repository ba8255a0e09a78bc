package dev.eremite.dap.handler;

import dev.eremite.dap.mi.MiClient;
import dev.eremite.dap.mi.MiException;
import dev.eremite.dap.mi.MiStop;
import dev.eremite.dap.mi.MiValue;
import dev.eremite.dap.protocol.Call;
import dev.eremite.dap.protocol.RequestFailure;
import dev.eremite.dap.protocol.RequestTable;
import dev.eremite.dap.protocol.RequestTable.Lane;
import dev.eremite.dap.session.BreakpointBook;
import dev.eremite.dap.session.HitCondition;
import dev.eremite.dap.session.Session;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.lsp4j.debug.Breakpoint;
import org.eclipse.lsp4j.debug.ExceptionBreakMode;
import org.eclipse.lsp4j.debug.ExceptionBreakpointsFilter;
import org.eclipse.lsp4j.debug.ExceptionFilterOptions;
import org.eclipse.lsp4j.debug.ExceptionInfoArguments;
import org.eclipse.lsp4j.debug.ExceptionInfoResponse;
import org.eclipse.lsp4j.debug.SetExceptionBreakpointsArguments;
import org.eclipse.lsp4j.debug.SetExceptionBreakpointsResponse;

/** Stops at exceptions of C++, panics of Rust, and signals. */
public final class ExceptionRequests {
    /** Those that GDB stops at by itself, and programs are hit by. */
    private static final String SIGNALS = "SIGSEGV SIGBUS SIGABRT SIGFPE SIGILL SIGSYS SIGPIPE SIGTERM SIGHUP SIGQUIT"
            + " SIGUSR1 SIGUSR2 SIGXCPU SIGXFSZ";

    private static final String THROWS = "__cxa_throw";
    private static final Pattern TYPE =
            Pattern.compile("typeinfo for (.+?)(?:@.*| in section .*)?$", Pattern.MULTILINE);

    private final Session session;
    private final Map<String, Integer> present = new HashMap<>();
    private boolean signals = true;

    /** GDB 13's own catchpoints make it crash where the library that throws is not loaded: at the beginning of history. */
    private enum Filter {
        SIGNALS("signals", "Signals", ""),
        THROW("throw", "C++: thrown", THROWS),
        RETHROW("rethrow", "C++: thrown again", "__cxa_rethrow"),
        CATCH("catch", "C++: caught", "__cxa_begin_catch"),
        PANIC("panic", "Rust: panics", "rust_panic");

        private final String id;
        private final String label;
        private final String function;

        Filter(String id, String label, String function) {
            this.id = id;
            this.label = label;
            this.function = function;
        }

        static Filter of(String id) {
            for (Filter filter : values()) {
                if (filter.id.equals(id)) {
                    return filter;
                }
            }
            throw new RequestFailure("there is no exception filter " + id);
        }
    }

    /** Requests of a session. */
    public ExceptionRequests(Session session) {
        this.session = session;
    }

    /** Adds them to a table. */
    public void addTo(RequestTable table) {
        table.on("setExceptionBreakpoints", SetExceptionBreakpointsArguments.class, this::set)
                .on("exceptionInfo", ExceptionInfoArguments.class, Lane.VIEW, this::info);
    }

    /** The kinds of exception, for the client's list. */
    static ExceptionBreakpointsFilter[] filters() {
        List<ExceptionBreakpointsFilter> shown = new ArrayList<>();
        for (Filter filter : Filter.values()) {
            ExceptionBreakpointsFilter each = new ExceptionBreakpointsFilter();
            each.setFilter(filter.id);
            each.setLabel(filter.label);
            each.setDefault_(filter == Filter.SIGNALS);
            each.setSupportsCondition(filter != Filter.SIGNALS);
            shown.add(each);
        }
        return shown.toArray(ExceptionBreakpointsFilter[]::new);
    }

    private Object set(SetExceptionBreakpointsArguments arguments, Call call) {
        session.mi();
        Map<Filter, String> wanted = new LinkedHashMap<>();
        for (String id : arguments.getFilters()) {
            wanted.put(Filter.of(id), "");
        }
        if (arguments.getFilterOptions() != null) {
            for (ExceptionFilterOptions option : arguments.getFilterOptions()) {
                String condition = option.getCondition() == null ? "" : option.getCondition();
                wanted.put(Filter.of(option.getFilterId()), condition);
            }
        }
        List<Breakpoint> shown = new ArrayList<>();
        session.execution().whileStopped(() -> {
            handleSignals(wanted.containsKey(Filter.SIGNALS));
            present.values().forEach(number -> BreakpointGroup.delete(session, number));
            present.clear();
            wanted.forEach((filter, condition) -> shown.add(insert(filter, condition)));
        });
        SetExceptionBreakpointsResponse response = new SetExceptionBreakpointsResponse();
        response.setBreakpoints(shown.toArray(Breakpoint[]::new));
        return response;
    }

    private void handleSignals(boolean wanted) {
        if (wanted != signals) {
            session.mi().console("handle " + SIGNALS + (wanted ? " stop print" : " nostop noprint"));
            signals = wanted;
        }
    }

    private Breakpoint insert(Filter filter, String condition) {
        Breakpoint shown = new Breakpoint();
        shown.setVerified(true);
        if (filter == Filter.SIGNALS) {
            return shown;
        }
        try {
            MiValue made =
                    session.mi().command("-break-insert -f " + filter.function).at("bkpt");
            int number = (int) made.number("number", 0);
            BreakpointGroup.condition(session, number, condition);
            present.put(filter.id, number);
            session.book()
                    .add(
                            number,
                            new BreakpointBook.Entry(
                                    BreakpointBook.Kind.EXCEPTION, filter.label, HitCondition.always()));
            shown.setId(number);
        } catch (MiException e) {
            shown.setVerified(false);
            shown.setMessage(e.getMessage());
        }
        return shown;
    }

    private Object info(ExceptionInfoArguments arguments, Call call) {
        session.stoppedMi();
        MiStop stop = session.execution().lastStop();
        if (stop == null
                || session.execution().shown() == null
                || !"exception".equals(session.execution().shown().getReason())) {
            throw new RequestFailure("the program has not stopped at an exception");
        }
        ExceptionInfoResponse response = new ExceptionInfoResponse();
        response.setBreakMode(ExceptionBreakMode.ALWAYS);
        if (stop.signal().isEmpty()) {
            String label = session.book()
                    .find(stop.breakpoint())
                    .map(BreakpointBook.Entry::label)
                    .orElse("exception");
            String type = thrown();
            response.setExceptionId(type.isEmpty() ? label : type);
            response.setDescription(type.isEmpty() ? label : label + ": " + type);
        } else {
            response.setExceptionId(stop.signal());
            response.setDescription(stop.signalMeaning());
        }
        return response;
    }

    /** The type of a C++ exception that is being thrown: the second argument of the function that throws; else empty. */
    private String thrown() {
        MiClient mi = session.mi();
        if (!mi.command("-stack-info-frame").at("frame").text("func").equals(THROWS)) {
            return "";
        }
        try {
            Matcher type = TYPE.matcher(mi.console("info symbol $rsi"));
            return type.find() ? type.group(1) : "";
        } catch (MiException e) {
            return "";
        }
    }
}
