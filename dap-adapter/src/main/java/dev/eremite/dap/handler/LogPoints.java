package dev.eremite.dap.handler;

import dev.eremite.dap.mi.MiBreakpoint;
import dev.eremite.dap.mi.MiException;
import dev.eremite.dap.mi.MiValue;
import dev.eremite.dap.session.Printers;
import dev.eremite.dap.session.Session;
import java.util.ArrayList;
import java.util.List;

/**
 * Breakpoints that print and do not stop. GDB's own (dprintf) call functions of the program to print strings, which cannot be
 * done backwards; those made with its Python do not.
 */
final class LogPoints {
    private static final String SCRIPT = "/dev/eremite/dap/logpoints.py";

    private final Session session;
    private boolean defined;

    LogPoints(Session session) {
        this.session = session;
    }

    /**
     * Sets one.
     *
     * @param place where: {@code source} and {@code line}, or {@code function}, as Python's keywords and values
     * @param condition an expression; empty for none
     * @param message what to print; expressions stand in braces
     */
    MiBreakpoint insert(List<String> place, String condition, String message) {
        define();
        String made = session.mi()
                .console("python print(EremiteLogPoint({" + String.join(", ", place) + "}, [" + parts(message) + "], "
                        + Printers.python(condition) + ").number)");
        String number = made.strip().lines().reduce((first, last) -> last).orElse("");
        if (!number.matches("\\d+")) {
            throw new MiException("the log point was not set: " + made.strip());
        }
        MiValue table = session.mi().command("-break-info " + number).at("BreakpointTable");
        List<MiValue> body = table.list("body");
        return MiBreakpoint.of(body.isEmpty() ? MiValue.NONE : body.getFirst());
    }

    private static String parts(String message) {
        List<String> parts = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        int at = 0;
        while (at < message.length()) {
            int end = message.charAt(at) == '{' ? message.indexOf('}', at) : -1;
            if (end > at + 1) {
                parts.add(Printers.python(text.toString()));
                parts.add("(" + Printers.python(message.substring(at + 1, end)) + ",)");
                text.setLength(0);
                at = end + 1;
            } else {
                text.append(message.charAt(at));
                at++;
            }
        }
        parts.add(Printers.python(text.toString()));
        return String.join(", ", parts);
    }

    private void define() {
        if (defined) {
            return;
        }
        try {
            session.mi().console("python exec(" + Printers.python(Printers.script(SCRIPT)) + ", globals())");
        } catch (MiException e) {
            throw new MiException("log points need a gdb with Python: " + e.getMessage());
        }
        defined = true;
    }
}
