package dev.eremite.dap.handler;

import dev.eremite.dap.mi.MiBreakpoint;
import dev.eremite.dap.mi.MiClient;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
        List<String> enabled = mi.command("-break-list").at("BreakpointTable").list("body").stream()
                .filter(each -> each.text("enabled").equals("y"))
                .map(each -> each.text("number"))
                .toList();
        String all = String.join(" ", enabled);
        MiBreakpoint there = MiBreakpoint.of(
                mi.command("-break-insert --source " + MiClient.quoted(line.path) + " --line " + line.line)
                        .at("bkpt"));
        if (!enabled.isEmpty()) {
            mi.command("-break-disable " + all);
        }
        Runnable restore = () -> {
            mi.command("-break-delete " + there.number());
            if (!enabled.isEmpty()) {
                mi.command("-break-enable " + all);
            }
        };
        String command = "-exec-continue" + (line.backwards ? " --reverse" : "");
        session.execution()
                .start(
                        new Movement(Kind.GOTO, "to line " + line.line, command, _ -> Optional.empty(), restore),
                        call.sequence());
        return null;
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
                    targets.add(target(called.group(1), called.group("name")));
                }
            }
        }
        StepInTargetsResponse response = new StepInTargetsResponse();
        response.setTargets(targets.toArray(StepInTarget[]::new));
        return response;
    }

    private StepInTarget target(String address, String name) {
        // Of a function in a library the call names the stub alone.
        boolean stub = name.endsWith("@plt");
        String label = stub ? name.substring(0, name.length() - "@plt".length()) : name;
        calls.put(++last, stub ? label : "*" + address);
        StepInTarget target = new StepInTarget();
        target.setId(last);
        target.setLabel(label);
        return target;
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
        session.stoppedMi();
        Frames.Place place = frames.get(arguments.getFrameId());
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

    private static Optional<String> stepIn(MiStop stop, boolean[] back) {
        boolean first = !back[0] && stop.breakpoint() == 0;
        back[0] = true;
        return first ? Optional.of("-exec-step") : Optional.empty();
    }
}
