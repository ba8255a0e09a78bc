package dev.eremite.dap.handler;

import dev.eremite.dap.protocol.Call;
import dev.eremite.dap.protocol.RequestTable;
import dev.eremite.dap.protocol.RequestTable.Lane;
import dev.eremite.dap.session.Execution;
import dev.eremite.dap.session.Movement;
import dev.eremite.dap.session.Movement.Kind;
import dev.eremite.dap.session.Session;
import org.eclipse.lsp4j.debug.CancelArguments;
import org.eclipse.lsp4j.debug.ContinueArguments;
import org.eclipse.lsp4j.debug.ContinueResponse;
import org.eclipse.lsp4j.debug.NextArguments;
import org.eclipse.lsp4j.debug.PauseArguments;
import org.eclipse.lsp4j.debug.ReverseContinueArguments;
import org.eclipse.lsp4j.debug.StepBackArguments;
import org.eclipse.lsp4j.debug.StepInArguments;
import org.eclipse.lsp4j.debug.StepOutArguments;
import org.eclipse.lsp4j.debug.SteppingGranularity;

/** Moving forwards and backwards. The responses tell that the movement has begun; its stop is an event. */
public final class ExecutionRequests {
    private static final String REVERSE = " --reverse";

    private final Session session;
    private final Execution execution;
    private final JumpRequests jumps;

    /** Requests of a session. */
    public ExecutionRequests(Session session, JumpRequests jumps) {
        this.jumps = jumps;
        this.session = session;
        this.execution = session.execution();
    }

    /** Arguments of the custom step requests. */
    static final class ReverseStepArguments {
        int threadId;
        SteppingGranularity granularity;
    }

    /** Adds them to a table. */
    public void addTo(RequestTable table) {
        table.on("continue", ContinueArguments.class, (arguments, call) -> {
                    go(Kind.CONTINUE, "continue", "-exec-continue", "", arguments.getThreadId(), call);
                    ContinueResponse response = new ContinueResponse();
                    response.setAllThreadsContinued(true);
                    return response;
                })
                .on(
                        "reverseContinue",
                        ReverseContinueArguments.class,
                        (arguments, call) -> go(
                                Kind.CONTINUE,
                                "reverse continue",
                                "-exec-continue",
                                REVERSE,
                                arguments.getThreadId(),
                                call))
                .on(
                        "next",
                        NextArguments.class,
                        (arguments, call) ->
                                step("next", "", arguments.getThreadId(), arguments.getGranularity(), call))
                .on("stepIn", StepInArguments.class, this::stepIn)
                .on("stepOut", StepOutArguments.class, (arguments, call) -> out("", arguments.getThreadId(), call))
                .on(
                        "stepBack",
                        StepBackArguments.class,
                        (arguments, call) ->
                                step("next", REVERSE, arguments.getThreadId(), arguments.getGranularity(), call))
                .on(
                        "eremite/reverseStepIn",
                        ReverseStepArguments.class,
                        (arguments, call) ->
                                told(step("step", REVERSE, arguments.threadId, arguments.granularity, call), call))
                .on(
                        "eremite/reverseStepOut",
                        ReverseStepArguments.class,
                        (arguments, call) -> told(out(REVERSE, arguments.threadId, call), call))
                .on("pause", PauseArguments.class, Lane.URGENT, (arguments, call) -> pause())
                .on("cancel", CancelArguments.class, Lane.URGENT, (arguments, call) -> cancel(arguments));
    }

    /** Clients do not know that these requests move. */
    private Object told(Object response, Call call) {
        call.afterwards(execution::tellResumed);
        return response;
    }

    private Object stepIn(StepInArguments arguments, Call call) {
        return arguments.getTargetId() != null
                ? jumps.stepInto(arguments, call)
                : step("step", "", arguments.getThreadId(), arguments.getGranularity(), call);
    }

    private Object step(String what, String reverse, int thread, SteppingGranularity by, Call call) {
        String command = "-exec-" + what + (by == SteppingGranularity.INSTRUCTION ? "-instruction" : "");
        return go(Kind.STEP, (reverse.isEmpty() ? "" : "reverse ") + what, command, reverse, thread, call);
    }

    private Object out(String reverse, int thread, Call call) {
        session.stoppedMi().command("-stack-select-frame --thread " + thread + " 0");
        return go(Kind.STEP, "step out", "-exec-finish", reverse, thread, call);
    }

    private Object go(Kind kind, String title, String command, String reverse, int thread, Call call) {
        session.stoppedMi();
        String of = kind == Kind.STEP && thread > 0 ? " --thread " + thread : "";
        execution.start(Movement.of(kind, title, command + of + reverse), call.sequence());
        return null;
    }

    private Object pause() {
        session.mi();
        if (session.connection().dispatcher().busy()) {
            session.interruptEngine();
        } else {
            execution.interrupt();
        }
        return null;
    }

    private Object cancel(CancelArguments arguments) {
        Integer request = arguments.getRequestId();
        if (request != null) {
            Call active = session.connection().dispatcher().cancel(request);
            if (active != null || execution.request() == request) {
                session.interruptEngine();
            }
        }
        if (arguments.getProgressId() != null && arguments.getProgressId().equals(execution.progressId())) {
            session.interruptEngine();
        }
        return null;
    }
}
