package dev.eremite.tests.dap;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Messages by chance: known commands with arguments of the right and the wrong kinds, and texts that are no messages. */
final class DapMessages {
    private static final List<String> COMMANDS = List.of(
            "initialize",
            "launch",
            "attach",
            "configurationDone",
            "restart",
            "setBreakpoints",
            "setFunctionBreakpoints",
            "setInstructionBreakpoints",
            "breakpointLocations",
            "dataBreakpointInfo",
            "setDataBreakpoints",
            "setExceptionBreakpoints",
            "exceptionInfo",
            "continue",
            "next",
            "stepIn",
            "stepOut",
            "pause",
            "stepInTargets",
            "stepBack",
            "reverseContinue",
            "restartFrame",
            "goto",
            "gotoTargets",
            "threads",
            "stackTrace",
            "scopes",
            "variables",
            "setVariable",
            "setExpression",
            "writeMemory",
            "evaluate",
            "completions",
            "readMemory",
            "disassemble",
            "modules",
            "loadedSources",
            "source",
            "cancel",
            "eremite/reverseStepIn",
            "eremite/reverseStepOut",
            "eremite/seek",
            "eremite/position",
            "eremite/events",
            "eremite/checkpoints",
            "eremite/output",
            "eremite/seekToOutput",
            "nonsense");

    private static final List<String> NAMES = List.of(
            "threadId",
            "frameId",
            "variablesReference",
            "source",
            "breakpoints",
            "line",
            "expression",
            "context",
            "name",
            "value",
            "memoryReference",
            "count",
            "offset",
            "instructionCount",
            "instructionOffset",
            "startFrame",
            "levels",
            "start",
            "filter",
            "filters",
            "event",
            "to",
            "checkpoint",
            "pattern",
            "add",
            "delete",
            "targetId",
            "requestId",
            "data",
            "text",
            "column",
            "granularity",
            "dataId",
            "path",
            "condition",
            "hitCondition",
            "logMessage",
            "stopAt",
            "adapterID");

    private static final List<String> WORDS = List.of(
            "",
            "sum",
            "main",
            "i",
            "&sum",
            "sum + 1",
            "0x401000",
            "0xffffffffffffffff",
            "nonsense(",
            "\"",
            "\\",
            "'",
            "{i}",
            "{",
            "ä€😀",
            "a\nb",
            "watch",
            "hover",
            "repl",
            "start",
            "end",
            "instruction",
            "statement",
            "signals",
            "throw",
            "-1",
            "999999999999",
            "% 0",
            "[",
            "(a+",
            "AAAA",
            "--all");

    private final Random random;

    DapMessages(Random random) {
        this.random = random;
    }

    /** Whether the next one is to be no message. */
    boolean broken() {
        return random.nextInt(20) == 0;
    }

    /** Something that is no message. */
    String text() {
        return switch (random.nextInt(6)) {
            case 0 -> "";
            case 1 -> "{";
            case 2 -> "null";
            case 3 -> "{\"seq\":1,\"type\":\"request\"";
            case 4 -> "{\"seq\":\"x\",\"type\":\"event\",\"event\":\"stopped\"}";
            default ->
                "[[[[\"" + pick(WORDS).replace("\"", "").replace("\\", "").replace("\n", "") + "\"";
        };
    }

    String command() {
        return pick(COMMANDS);
    }

    Map<String, Object> arguments() {
        Map<String, Object> arguments = new LinkedHashMap<>();
        if (random.nextInt(3) > 0) {
            arguments.put("threadId", 1);
        }
        for (int i = random.nextInt(6); i > 0; i--) {
            arguments.put(pick(NAMES), value(3));
        }
        return arguments;
    }

    private Object value(int depth) {
        return switch (random.nextInt(depth > 0 ? 9 : 6)) {
            case 0 -> random.nextInt(5);
            case 1 -> random.nextInt();
            case 2 -> random.nextLong();
            case 3 -> random.nextBoolean();
            case 4, 5 -> pick(WORDS);
            case 6 -> {
                List<Object> list = new ArrayList<>();
                for (int i = random.nextInt(3); i > 0; i--) {
                    list.add(value(depth - 1));
                }
                yield list;
            }
            default -> {
                Map<String, Object> map = new LinkedHashMap<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    map.put(pick(NAMES), value(depth - 1));
                }
                yield map;
            }
        };
    }

    private String pick(List<String> words) {
        return words.get(random.nextInt(words.size()));
    }
}
