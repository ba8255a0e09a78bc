package dev.eremite.dap.handler;

import dev.eremite.dap.mi.MiBreakpoint;
import dev.eremite.dap.mi.MiClient;
import dev.eremite.dap.mi.MiException;
import dev.eremite.dap.mi.MiFrame;
import dev.eremite.dap.mi.MiStop;
import dev.eremite.dap.mi.MiValue;
import dev.eremite.dap.protocol.Call;
import dev.eremite.dap.protocol.RequestFailure;
import dev.eremite.dap.protocol.RequestTable;
import dev.eremite.dap.protocol.RequestTable.Lane;
import dev.eremite.dap.session.Frames;
import dev.eremite.dap.session.Movement;
import dev.eremite.dap.session.Movement.Kind;
import dev.eremite.dap.session.Session;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.lsp4j.debug.GotoArguments;
import org.eclipse.lsp4j.debug.GotoTarget;
import org.eclipse.lsp4j.debug.GotoTargetsArguments;
import org.eclipse.lsp4j.debug.GotoTargetsResponse;
import org.eclipse.lsp4j.debug.RestartFrameArguments;
import org.eclipse.lsp4j.debug.StepInArguments;
import org.eclipse.lsp4j.debug.StepInTarget;
import org.eclipse.lsp4j.debug.StepInTargetsArguments;
import org.eclipse.lsp4j.debug.StepInTargetsResponse;

/** Movements to places: lines, calls, the beginning of a frame. */
public final class JumpRequests {
    private static final Pattern ENDS =
            Pattern.compile("starts at address (0x[0-9a-f]+).* and ends at (0x[0-9a-f]+)", Pattern.DOTALL);
    private static final Pattern SYMBOL = Pattern.compile("^\\S.*?( \\+ (?<offset>\\d+))? in section ");
    private static final Pattern CALL = Pattern.compile("call\\s+(0x[0-9a-f]+) <(?<name>.+)>");

    private final Session session;
    private final Frames frames;
    private final Map<Integer, Line> lines = new HashMap<>();
    private final Map<Integer, String> calls = new HashMap<>();
    private int last;

    private record Line(String path, int line, boolean backwards) {}

    /** Requests of a session. */
    public JumpRequests(Session session, Frames frames) {
        this.session = session;
        this.frames = frames;
        session.onStop(calls::clear);
    }

    /** Adds them to a table. */
    public void addTo(RequestTable table) {
        table.on("gotoTargets", GotoTargetsArguments.class, Lane.VIEW, this::gotoTargets)
                .on("goto", GotoArguments.class, this::jump)
                .on("stepInTargets", StepInTargetsArguments.class, Lane.VIEW, this::stepInTargets)
                .on("restartFrame", RestartFrameArguments.class, this::restartFrame);
    }

    private Object gotoTargets(GotoTargetsArguments arguments, Call call) {
        session.mi();
        String path = arguments.getSource().getPath();
        Integer line = SourceRequests.lines(session, path).ceiling(session.fromClientLine(arguments.getLine()));
        List<GotoTarget> targets = new ArrayList<>();
        if (line != null) {
            targets.add(target(path, line, false, "forward to line " + line));
            targets.add(target(path, line, true, "back to line " + line));
        }
        GotoTargetsResponse response = new GotoTargetsResponse();
        response.setTargets(targets.toArray(GotoTarget[]::new));
        return response;
    }

    private GotoTarget target(String path, int line, boolean backwards, String label) {
        lines.put(++last, new Line(path, line, backwards));
        GotoTarget target = new GotoTarget();
        target.setId(last);
        target.setLabel(label);
        target.setLine(session.toClientLine(line));
        return target;
    }

    /** A visit of the line, with the client's breakpoints out of the way. */
    private Object jump(GotoArguments arguments, Call call) {
        MiClient mi = session.stoppedMi();
        Line line = lines.get(arguments.getTargetId());
        if (line == null) {
            throw new RequestFailure("there is no goto target " + arguments.getTargetId());
        }
        String place = "--source " + MiClient.quoted(line.path) + " --line " + line.line;
        String command = "-exec-continue" + (line.backwards ? " --reverse" : "");
        visit(mi, Kind.GOTO, "to line " + line.line, place, command, false, call);
        return null;
    }

    /**
     * Moves to a visit of a place, with the client's breakpoints out of the way.
     *
     * @param place the place, with options, as {@code -break-insert} takes it
     * @param step whether to go on from there to the next line
     */
    private void visit(MiClient mi, Kind kind, String title, String place, String command, boolean step, Call call) {
        String enabled = mi.command("-break-list").at("BreakpointTable").list("body").stream()
                .filter(each -> each.text("enabled").equals("y"))
                .map(each -> each.text("number"))
                .collect(Collectors.joining(" "));
        int there =
                MiBreakpoint.of(mi.command("-break-insert " + place).at("bkpt")).number();
        if (!enabled.isEmpty()) {
            mi.command("-break-disable " + enabled);
        }
        Runnable restore = () -> {
            mi.command("-break-delete " + there);
            if (!enabled.isEmpty()) {
                mi.command("-break-enable " + enabled);
            }
        };
        boolean[] stepped = new boolean[1];
        Function<MiStop, Optional<String>> then = stop -> {
            boolean goOn = step && !stepped[0] && stop.breakpoint() == there;
            stepped[0] = true;
            return goOn ? Optional.of("-exec-step") : Optional.empty();
        };
        session.execution().start(new Movement(kind, title, command, then, restore), call.sequence());
    }

    private Object stepInTargets(StepInTargetsArguments arguments, Call call) {
        MiClient mi = session.stoppedMi();
        Frames.Place place = frames.get(arguments.getFrameId());
        String pc = "0x" + Long.toHexString(place.frame().address());
        List<StepInTarget> targets = new ArrayList<>();
        Matcher ends = ENDS.matcher(mi.console("info line *" + pc));
        if (place.frame().level() == 0 && ends.find()) {
            MiValue code = mi.command("-data-disassemble -s " + pc + " -e " + ends.group(2) + " -- 0");
            for (MiValue each : code.list("asm_insns")) {
                Matcher called = CALL.matcher(each.text("inst"));
                if (called.find()) {
                    targets.add(target(mi, called.group(1), called.group("name")));
                }
            }
        }
        StepInTargetsResponse response = new StepInTargetsResponse();
        response.setTargets(targets.toArray(StepInTarget[]::new));
        return response;
    }

    private StepInTarget target(MiClient mi, String address, String name) {
        // Of a function in a library the call names the stub alone.
        boolean stub = name.endsWith("@plt");
        String function = stub ? name.substring(0, name.length() - "@plt".length()) : name;
        calls.put(++last, stub ? function : "*" + address);
        StepInTarget target = new StepInTarget();
        target.setId(last);
        target.setLabel(demangled(mi, function));
        return target;
    }

    /** A symbol of C++ or Rust as its source names it, any other as it is. */
    private static String demangled(MiClient mi, String symbol) {
        if (!symbol.startsWith("_Z") && !symbol.startsWith("_R")) {
            return symbol;
        }
        try {
            return mi.console("demangle -- " + symbol).strip();
        } catch (MiException e) {
            return symbol;
        }
    }

    /** Steps into the call that was chosen; other calls on the way run through. */
    Object stepInto(StepInArguments arguments, Call call) {
        MiClient mi = session.stoppedMi();
        String place = calls.get(arguments.getTargetId());
        if (place == null) {
            throw new RequestFailure("there is no step-in target " + arguments.getTargetId() + " at this stop");
        }
        int number = MiBreakpoint.of(
                        mi.command("-break-insert " + MiClient.quoted(place)).at("bkpt"))
                .number();
        boolean[] entered = new boolean[1];
        session.execution()
                .start(
                        new Movement(
                                Kind.STEP,
                                "step in",
                                "-exec-continue",
                                stop -> {
                                    boolean first = stop.breakpoint() == number && !entered[0] && place.startsWith("*");
                                    entered[0] = true;
                                    // From a function's first instruction to its first line.
                                    return first ? Optional.of("-exec-step") : Optional.empty();
                                },
                                () -> mi.command("-break-delete " + number)),
                        call.sequence());
        return null;
    }

    /** Back to the call that made the frame, and in again. */
    private Object restartFrame(RestartFrameArguments arguments, Call call) {
        MiClient mi = session.stoppedMi();
        Frames.Place place = frames.get(arguments.getFrameId());
        int callers = place.frame().level() + 1;
        boolean outermost = mi.command("-stack-info-depth --thread " + place.thread() + " " + (callers + 1))
                        .number("depth", 0)
                == callers;
        if (outermost) {
            // GDB knows no way out of it: the last visit of its function's first instruction.
            String entry = "-p " + place.thread() + " *" + functionStart(mi, place.frame());
            visit(mi, Kind.STEP, "restart frame", entry, Movement.SEEK, true, call);
            return null;
        }
        boolean[] back = new boolean[1];
        session.execution()
                .start(
                        new Movement(
                                Kind.STEP,
                                "restart frame",
                                "-exec-finish" + place.options() + "--reverse",
                                stop -> stepIn(stop, back),
                                () -> {}),
                        call.sequence());
        return null;
    }

    private static String functionStart(MiClient mi, MiFrame frame) {
        Matcher symbol = SYMBOL.matcher(mi.console("info symbol 0x" + Long.toHexString(frame.address())));
        if (!symbol.find()) {
            throw new RequestFailure("the frame belongs to no function that is known here");
        }
        long offset = symbol.group("offset") == null ? 0 : Long.parseLong(symbol.group("offset"));
        return "0x" + Long.toHexString(frame.address() - offset);
    }

    private static Optional<String> stepIn(MiStop stop, boolean[] back) {
        boolean first = !back[0] && stop.breakpoint() == 0;
        back[0] = true;
        return first ? Optional.of("-exec-step") : Optional.empty();
    }
}
