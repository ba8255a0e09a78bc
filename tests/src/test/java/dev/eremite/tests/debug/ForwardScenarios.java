package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.mi.DebugSession;
import dev.eremite.tests.mi.DebugSession.Backend;
import dev.eremite.tests.mi.MiStop;
import dev.eremite.tests.mi.MiValue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Debugging forwards in a real GDB, against answers that are known. The same scenarios run natively, which shows that
 * the answers are GDB's own, and on a replay.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
abstract class ForwardScenarios {
    /** Where the guests run. */
    abstract Backend backend();

    DebugSession open(String guest) {
        return DebugSession.open(backend(), guest);
    }

    @Test
    void shouldStopAtBreakpointWithArgumentsAndStack() {
        try (DebugSession session = open("basics")) {
            session.breakAt("square-body");
            MiStop stop = session.forward();
            assertThat(stop.reason()).isEqualTo("breakpoint-hit");
            assertThat(stop.function()).isEqualTo("square");
            assertThat(stop.line()).isEqualTo(session.guest().line("square-body"));
            assertThat(session.integer("n")).isEqualTo(1);
            assertThat(session.backtrace()).startsWith("square", "add_square", "main");
            session.forward();
            assertThat(session.integer("n")).isEqualTo(2);
        }
    }

    @Test
    void shouldStopOnlyWhereConditionHolds() {
        try (DebugSession session = open("basics")) {
            session.breakAt("add-sum", "n == 7");
            session.forward();
            assertThat(session.integer("n")).isEqualTo(7);
            assertThat(session.integer("s")).isEqualTo(49);
            assertThat(session.integer("sum")).isEqualTo(91);
        }
    }

    @Test
    void shouldSkipIgnoredHits() {
        try (DebugSession session = open("basics")) {
            String number = session.breakAt("square-return");
            session.gdb().command("-break-after " + number + " 4");
            session.forward();
            assertThat(session.integer("result")).isEqualTo(25);
        }
    }

    @Test
    void shouldStopWhereWatchedVariableIsWritten() {
        try (DebugSession session = open("basics")) {
            session.runTo("main-loop");
            session.watch("total");
            for (int expected : new int[] {1, 5, 14}) {
                MiStop stop = session.forward();
                assertThat(stop.reason()).isEqualTo("watchpoint-trigger");
                assertThat(stop.details().text("value.new")).isEqualTo(Integer.toString(expected));
                assertThat(stop.line()).isEqualTo(session.guest().line("main-progress"));
            }
        }
    }

    @Test
    void shouldStopWhereWatchConditionHolds() {
        try (DebugSession session = open("basics")) {
            session.runTo("main-loop");
            String number = session.watch("total");
            session.gdb().command("-break-condition " + number + " total > 50");
            session.forward();
            assertThat(session.integer("total")).isEqualTo(55);
            assertThat(session.integer("i")).isEqualTo(5);
        }
    }

    @Test
    void shouldStopWhereWatchedVariableIsRead() {
        try (DebugSession session = open("basics")) {
            session.runTo("main-loop");
            session.watchReads("total");
            for (int expected : new int[] {0, 1, 5}) {
                MiStop stop = session.forward();
                assertThat(stop.reason()).isEqualTo("read-watchpoint-trigger");
                assertThat(stop.details().text("value.value")).isEqualTo(Integer.toString(expected));
                assertThat(stop.line()).isEqualTo(session.guest().line("main-loop"));
            }
        }
    }

    @Test
    void shouldStopAtEachAccess() {
        try (DebugSession session = open("basics")) {
            session.runTo("main-loop");
            session.gdb().command("-break-watch -a total");
            List<String> reasons = new ArrayList<>();
            List<Long> totals = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                reasons.add(session.forward().reason());
                totals.add(session.integer("total"));
            }
            assertThat(reasons).containsOnly("access-watchpoint-trigger");
            assertThat(totals).containsExactly(0L, 1L, 1L, 5L);
        }
    }

    @Test
    void shouldStepIntoAndOutOfFunctions() {
        try (DebugSession session = open("basics")) {
            session.runTo("add-call");
            int body = session.guest().line("square-body");
            List<Integer> lines = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                lines.add(session.move("step").line());
            }
            assertThat(lines).containsExactly(body, body + 1, body + 2);
            MiStop out = session.move("step");
            assertThat(out.function()).isEqualTo("add_square");
            assertThat(session.move("step").line())
                    .isGreaterThanOrEqualTo(session.guest().line("add-sum"));
        }
    }

    @Test
    void shouldStepOverCalls() {
        try (DebugSession session = open("basics")) {
            session.runTo("add-call");
            assertThat(session.move("next").line()).isEqualTo(session.guest().line("add-sum"));
            assertThat(session.integer("s")).isEqualTo(1);
            assertThat(session.move("next").line()).isEqualTo(session.guest().line("add-return"));
            session.runTo("main-print");
            assertThat(session.move("next").line()).isEqualTo(session.guest().line("main-push"));
        }
    }

    @Test
    void shouldStepOverRecursion() {
        try (DebugSession session = open("basics")) {
            session.runTo("main-depth");
            assertThat(session.move("next").line()).isEqualTo(session.guest().line("main-print-depth"));
            assertThat(session.integer("levels")).isEqualTo(12);
        }
    }

    @Test
    void shouldFinishWithReturnValue() {
        try (DebugSession session = open("basics")) {
            session.breakAt("square-return", "n == 6");
            session.forward();
            MiStop stop = session.move("finish");
            assertThat(stop.reason()).isEqualTo("function-finished");
            assertThat(stop.function()).isEqualTo("add_square");
            assertThat(stop.details().text("return-value")).isEqualTo("36");
        }
    }

    @Test
    void shouldStepSingleInstructions() {
        try (DebugSession session = open("basics")) {
            session.runTo("square-body");
            List<Long> expected = Pattern.compile("0x([0-9a-f]+) <square")
                    .matcher(session.gdb().console("x/5i $pc"))
                    .results()
                    .map(MatchResult::group)
                    .map(text -> Long.parseLong(text.substring(2, text.indexOf(' ')), 16))
                    .toList();
            List<Long> stepped = new ArrayList<>();
            stepped.add(session.integer("$pc"));
            for (int i = 1; i < 5; i++) {
                stepped.add(session.move("step-instruction").address());
            }
            assertThat(stepped).isEqualTo(expected);
        }
    }

    @Test
    void shouldStepInstructionsOverCalls() {
        try (DebugSession session = open("basics")) {
            session.runTo("add-call");
            MiStop stop = session.move("next-instruction");
            for (int i = 0; i < 8 && stop.line() == session.guest().line("add-call"); i++) {
                assertThat(stop.function()).isEqualTo("add_square");
                stop = session.move("next-instruction");
            }
            assertThat(stop.line()).isEqualTo(session.guest().line("add-sum"));
        }
    }

    @Test
    void shouldReadHeapAndStrings() {
        try (DebugSession session = open("basics")) {
            session.runTo("main-keys");
            assertThat(session.evaluate("(char *) head->name")).endsWith("\"eight\"");
            assertThat(session.integer("head->next->next->key")).isEqualTo(3);
            assertThat(session.evaluate("head->next->weight")).isEqualTo("1.25");
            assertThat(session.evaluate("head->next->next->next")).isEqualTo("0x0");
        }
    }

    @Test
    void shouldShowAllThreadsAndTheirVariables() {
        try (DebugSession session = open("threads4")) {
            session.breakAt("tls-add", "id == 3 && mine == 403");
            session.forward();
            assertThat(session.threads()).isEqualTo(5);
            List<Long> values = new ArrayList<>();
            for (int thread = 1; thread <= 5; thread++) {
                session.gdb().command("-thread-select " + thread);
                values.add(session.integer("mine"));
            }
            assertThat(values).containsExactlyInAnyOrder(-1L, 104L, 204L, 304L, 403L);
        }
    }

    @Test
    void shouldReadThreadLocalVariablesOfOneThread() {
        try (DebugSession session = open("tls")) {
            session.breakAt("tls-result");
            for (int id = 0; id < 3; id++) {
                session.forward();
                assertThat(session.integer("number")).isEqualTo(42 + id);
                assertThat(session.evaluate("(char *) text")).endsWith("\"thread " + id + "\"");
            }
            session.runTo("main-print");
            assertThat(session.evaluate("(char *) text")).endsWith("\"start\"");
        }
    }

    @Test
    void shouldShowVectorRegisters() {
        try (DebugSession session = open("avx")) {
            session.breakAt("ymm-set");
            session.forward();
            assertThat(session.evaluate("$ymm7.v8_int32")).isEqualTo("{11, 22, 33, 44, 55, 66, 77, 88}");
            assertThat(session.evaluate("$xmm7.v4_int32")).isEqualTo("{11, 22, 33, 44}");
            session.forward();
            assertThat(session.evaluate("$ymm7.v8_int32")).isEqualTo("{0, 0, 0, 0, 0, 0, 0, 0}");
            String registers = session.gdb().console("info registers");
            assertThat(registers).contains("rip", "rsp", "eflags", "gs", "r15");
        }
    }

    @Test
    void shouldStopAtSignalsAndInHandlers() {
        try (DebugSession session = open("itimer")) {
            session.gdb().console("handle SIGALRM stop print pass");
            session.breakAt("tick");
            for (int tick = 0; tick < 3; tick++) {
                MiStop signal = session.forward();
                assertThat(signal.reason()).isEqualTo("signal-received");
                assertThat(signal.signal()).isEqualTo("SIGALRM");
                MiStop handler = session.forward();
                assertThat(handler.function()).isEqualTo("tick");
                assertThat(session.integer("ticks")).isEqualTo(tick);
                assertThat(session.backtrace()).containsSubsequence("tick", "main");
            }
        }
    }

    @Test
    void shouldPassSilencedSignals() {
        try (DebugSession session = open("itimer")) {
            session.breakAt("tick", "ticks == 5");
            assertThat(session.forward().function()).isEqualTo("tick");
            assertThat(session.integer("ticks")).isEqualTo(5);
        }
    }

    @Test
    void shouldStopAtFaultsThatAreRepaired() {
        try (DebugSession session = open("faultfix")) {
            for (int i = 0; i < 3; i++) {
                MiStop stop = session.forward();
                assertThat(stop.signal()).isEqualTo("SIGSEGV");
                assertThat(stop.line()).isEqualTo(session.guest().line("touch"));
                assertThat(session.integer("i")).isEqualTo(i);
                assertThat(session.integer("faults")).isEqualTo(i);
                assertThat(session.integer("$_siginfo._sifields._sigfault.si_addr"))
                        .isEqualTo(session.integer("area + i * page + i"));
            }
        }
    }

    @Test
    void shouldCatchExceptions() {
        try (DebugSession session = open("except")) {
            session.runTo("throw-runtime");
            session.gdb().command("-catch-throw");
            session.forward();
            assertThat(session.backtrace()).containsSubsequence("risky", "wrapped", "main");
            session.runTo("caught");
            assertThat(session.integer("destroyed")).isEqualTo(106);
        }
    }

    @Test
    void shouldStopInMethodsOfObjects() {
        try (DebugSession session = open("containers")) {
            session.breakAt("counter-add", "this->value_ == 30");
            session.forward();
            assertThat(session.backtrace().getFirst()).startsWith("Counter::add");
            assertThat(session.integer("step_")).isEqualTo(3);
            session.deleteBreakpoints();
            session.runTo("counter-print");
            assertThat(session.integer("counter.value_")).isEqualTo(90);
        }
    }

    @Test
    void shouldFollowParentOverFork() {
        try (DebugSession session = open("forkpipe")) {
            session.breakAt("parent-value");
            for (int expected : new int[] {0, 1, 3}) {
                assertThat(session.forward().line()).isEqualTo(session.guest().line("parent-value"));
                assertThat(session.integer("child_value")).isEqualTo(expected);
            }
            session.runTo("parent-end");
            assertThat(session.integer("child_value")).isEqualTo(6);
        }
    }

    @Test
    void shouldShowRecursionAndItsFrames() {
        try (DebugSession session = open("recursion")) {
            session.runTo("bottom");
            List<String> functions = session.backtrace();
            assertThat(functions.subList(0, 10)).containsOnly("factorial");
            assertThat(functions.get(10)).isEqualTo("main");
            List<MiValue> frames = session.gdb()
                    .command("-stack-list-arguments --simple-values 0 9")
                    .list("stack-args");
            for (int i = 0; i < 10; i++) {
                assertThat(frames.get(i).text("args.0.value")).isEqualTo(Integer.toString(i + 1));
            }
        }
    }

    @Test
    void shouldStopWhereLongJumpLands() {
        try (DebugSession session = open("longjmp")) {
            session.runTo("jump");
            assertThat(session.backtrace()).startsWith("inner", "inner", "inner", "inner", "main");
            session.runTo("landed");
            assertThat(session.backtrace()).startsWith("main");
            assertThat(session.integer("value")).isEqualTo(5);
            session.move("next");
            assertThat(session.integer("jumps")).isEqualTo(5);
        }
    }

    @Test
    void shouldStopAtCrash() {
        try (DebugSession session = open("bughunt")) {
            MiStop stop = session.forward();
            assertThat(stop.signal()).isEqualTo("SIGSEGV");
            assertThat(session.backtrace()).endsWith("main");
        }
    }

    @Test
    void shouldKnowSharedLibraries() {
        try (DebugSession session = open("containers")) {
            session.runTo("word");
            assertThat(session.gdb().console("info sharedlibrary")).contains("libstdc++", "libc.so");
        }
    }

    @Test
    void shouldDisassembleOriginalCode() {
        try (DebugSession session = open("basics")) {
            session.breakAt("square-body");
            session.breakAt("square-return");
            String before = session.gdb().console("disassemble /r square");
            session.forward();
            String after = session.gdb().console("disassemble /r square");
            assertThat(bytes(after)).isEqualTo(bytes(before)).isNotEmpty();
        }
    }

    private static List<String> bytes(String disassembly) {
        return Pattern.compile("<\\+\\d+>:\\t([0-9a-f ]+)\\t")
                .matcher(disassembly)
                .results()
                .map(result -> result.group(1))
                .toList();
    }
}
