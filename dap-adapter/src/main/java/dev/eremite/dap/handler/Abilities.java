package dev.eremite.dap.handler;

import org.eclipse.lsp4j.debug.Capabilities;

/** What the adapter can do, in the protocol's words. */
final class Abilities {
    private Abilities() {}

    static Capabilities capabilities() {
        Capabilities can = new Capabilities();
        can.setSupportsConfigurationDoneRequest(true);
        can.setSupportsStepBack(true);
        can.setSupportsConditionalBreakpoints(true);
        can.setSupportsHitConditionalBreakpoints(true);
        can.setSupportsFunctionBreakpoints(true);
        can.setSupportsDataBreakpoints(true);
        can.setSupportsEvaluateForHovers(true);
        can.setSupportsRestartRequest(true);
        can.setSupportsTerminateRequest(true);
        can.setSupportsDelayedStackTraceLoading(true);
        can.setSupportsSteppingGranularity(true);
        can.setSupportsCancelRequest(true);
        can.setExceptionBreakpointFilters(ExceptionRequests.filters());
        can.setSupportsExceptionFilterOptions(true);
        can.setSupportsExceptionInfoRequest(true);
        can.setSupportsLogPoints(true);
        can.setSupportsInstructionBreakpoints(true);
        can.setSupportsDataBreakpointBytes(true);
        can.setSupportsSetVariable(true);
        can.setSupportsSetExpression(true);
        can.setSupportsReadMemoryRequest(true);
        can.setSupportsWriteMemoryRequest(true);
        can.setSupportsDisassembleRequest(true);
        can.setSupportsModulesRequest(true);
        can.setSupportsLoadedSourcesRequest(true);
        can.setSupportsBreakpointLocationsRequest(true);
        can.setSupportsGotoTargetsRequest(true);
        can.setSupportsStepInTargetsRequest(true);
        can.setSupportsRestartFrame(true);
        can.setSupportsCompletionsRequest(true);
        can.setSupportsClipboardContext(true);
        return can;
    }
}
