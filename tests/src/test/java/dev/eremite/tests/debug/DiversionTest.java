package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.mi.DebugSession;
import dev.eremite.tests.mi.DebugSession.Backend;
import dev.eremite.tests.mi.MiStop;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls of the program's functions, changed variables and jumps, none of which the recording knows of. */
@Tag("slow")
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class DiversionTest {
    private DebugSession session;

    @BeforeEach
    void open() {
        session = DebugSession.open(Backend.REPLAY, "calls");
        session.breakAt("round", "i == 3");
        session.forward();
        session.deleteBreakpoints();
    }

    @AfterEach
    void close() {
        session.close();
    }

    private void assertRecordingGoesOn() {
        assertThat(session.integer("i")).isEqualTo(3);
        assertThat(session.integer("sum")).isEqualTo(30);
        session.runTo("print");
        assertThat(session.integer("sum")).isEqualTo(75);
        assertThat(session.evaluate("name")).endsWith("\"done!\"");
        assertThat(session.runToEnd().reason()).isNotEqualTo("exited");
    }

    @Test
    void shouldCallFunctions() {
        assertThat(session.integer("scaled(10, 20)")).isEqualTo(150);
        assertThat(session.integer("scaled(scaled(1, 1), 2)")).isEqualTo(60);
        assertRecordingGoesOn();
    }

    @Test
    void shouldCallFunctionsWithStringsThatGdbAllocates() {
        assertThat(session.integer("length(\"twelve chars\")")).isEqualTo(12);
        assertThat(session.evaluate("joined(\"foo\", \"bar\")")).endsWith("\"foobar\"");
        assertRecordingGoesOn();
    }

    @Test
    void shouldShowWhatCalledFunctionsPrint() {
        assertThat(session.integer("said(\"hello\")")).isEqualTo(12);
        assertRecordingGoesOn();
    }

    @Test
    void shouldChangeVariablesUntilTheRecordingGoesOn() {
        session.gdb().console("set var factor = 100");
        assertThat(session.integer("factor")).isEqualTo(100);
        assertThat(session.integer("scaled(1, 1)")).isEqualTo(200);
        MiStop next = session.move("next");
        assertThat(next.function()).isEqualTo("main");
        assertThat(session.integer("factor")).isEqualTo(5);
        session.moveBack("next");
        session.gdb().console("set var sum = 1");
        assertThat(session.integer("sum")).isEqualTo(1);
        session.moveBack("next");
        assertThat(session.integer("sum")).isEqualTo(30);
    }

    /** Here gdb stops, where the program stands already, with a condition that does not hold in the call. */
    @Test
    void shouldCallFunctionWithBreakpointThatDoesNotStop() {
        session.breakAt("scaled", "a == 3");
        session.forward();
        assertThat(session.integer("scaled(10, 20)")).isEqualTo(150);
        assertThat(session.integer("a")).isEqualTo(3);
        session.gdb().console("set breakpoint condition-evaluation host");
        assertThat(session.integer("scaled(20, 20)")).isEqualTo(200);
        assertThat(session.integer("a")).isEqualTo(3);
        session.deleteBreakpoints();
        session.gdb().console("up");
        assertRecordingGoesOn();
    }

    /** Gdb leaves a breakpoint on the stack where a call has stopped; on data a breakpoint is no instruction. */
    @Test
    void shouldGoBackWithBreakpointsOnTheStack() {
        session.breakAt("scaled");
        session.forward();
        session.gdb().attempt("-data-evaluate-expression \"scaled(40, 2)\"");
        assertThat(session.integer("a")).isEqualTo(40);
        session.gdb().console("break *(char *) &a");
        session.gdb().console("break *((char *) $sp - 3000)");
        session.reverse();
        assertThat(session.integer("a")).isEqualTo(2);
        session.reverse();
        assertThat(session.integer("a")).isEqualTo(1);
        session.forward();
        assertThat(session.integer("a")).isEqualTo(2);
        session.reverse();
        session.reverse();
        assertThat(session.integer("a")).isZero();
        assertThat(session.reverse().historyEnd()).isTrue();
    }

    @Test
    void shouldStayInFunctionThatCrashesAndFindBack() {
        session.gdb().attempt("-data-evaluate-expression \"content(0)\"");
        assertThat(session.backtrace()).startsWith("content").contains("main");
        MiStop back = session.moveBack("next");
        assertThat(back.function()).isEqualTo("main");
        // Before the loop counts up.
        assertThat(session.integer("i")).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nostop noprint pass", "nostop noprint nopass"})
    void shouldEndFunctionThatCrashesWhereNobodyHearsOfIt(String handling) {
        session.gdb().console("handle SIGSEGV " + handling);
        // Returns to where no code is.
        assertThat(session.integer("scaled(10, 20)")).isEqualTo(150);
        session.gdb().attempt("-data-evaluate-expression \"content(0)\"");
        assertThat(session.backtrace()).startsWith("content").contains("main");
        assertThat(session.gdb().transcript()).contains("SIGSEGV would end the program here");
        assertThat(session.moveBack("next").function()).isEqualTo("main");
    }

    @Test
    void shouldEndWhereCrashIsContinued() {
        session.gdb().attempt("-data-evaluate-expression \"content(0)\"");
        session.forward();
        assertThat(session.gdb().transcript()).contains("SIGSEGV would end the program here");
        session.gdb().console("set var $rax = &factor");
        assertThat(session.move("step-instruction").reason()).isEqualTo("end-stepping-range");
    }

    @Test
    void shouldUnwindFunctionThatCrashes() {
        session.gdb().console("set unwindonsignal on");
        session.gdb().attempt("-data-evaluate-expression \"content(0)\"");
        assertThat(session.backtrace()).containsExactly("main");
        assertRecordingGoesOn();
    }

    @Test
    void shouldStopAtBreakpointInCalledFunctionAndReturn() {
        session.breakAt("scaled");
        session.gdb().attempt("-data-evaluate-expression \"scaled(20, 22)\"");
        assertThat(session.backtrace()).startsWith("scaled").contains("main");
        assertThat(session.integer("a + b")).isEqualTo(42);
        session.deleteBreakpoints();
        session.gdb().console("return 1");
        assertThat(session.backtrace()).contains("main");
        MiStop back = session.moveBack("next");
        assertThat(back.function()).isEqualTo("main");
    }

    @Test
    void shouldJump() {
        session.gdb()
                .console("break " + session.guest().source() + ":"
                        + session.guest().line("last"));
        MiStop there = session.gdb()
                .resume("-exec-jump " + session.guest().source() + ":"
                        + session.guest().line("print"));
        assertThat(there.line()).isEqualTo(session.guest().line("last"));
        assertThat(session.integer("sum")).isEqualTo(30);
        MiStop back = session.reverse();
        assertThat(back.function()).isNotEqualTo("main");
        session.deleteBreakpoints();
        session.runTo("print");
        assertThat(session.integer("sum")).isEqualTo(75);
    }

    private int told(String text) {
        return session.gdb().transcript().split(text, -1).length - 1;
    }

    @Test
    void shouldTellThatChangedRegistersAreGone() {
        assertThat(session.integer("scaled(10, 20)")).isEqualTo(150);
        session.move("step-instruction");
        assertThat(told("changes are gone")).isZero();
        session.gdb().console("set var $rcx = 77");
        assertThat(session.integer("$rcx")).isEqualTo(77);
        session.move("step-instruction");
        assertThat(session.integer("$rcx")).isNotEqualTo(77);
        assertThat(told("changes are gone")).isEqualTo(1);
        session.gdb().console("set var $xmm0.v4_int32[0] = 77");
        session.move("step-instruction");
        assertThat(told("changes are gone")).isEqualTo(2);
    }

    @Test
    void shouldTellMissingCallsOnce() {
        session.gdb().attempt("-data-evaluate-expression \"(int) getppid()\"");
        assertThat(told("there is no getppid")).isEqualTo(1);
        assertThat(session.integer("scaled(10, 20)")).isEqualTo(150);
        assertThat(session.integer("said(\"hello\")")).isEqualTo(12);
        assertThat(told("there is no getppid")).isEqualTo(1);
    }

    private MiStop jump(String mark) {
        return session.gdb()
                .resume("-exec-jump " + session.guest().source() + ":"
                        + session.guest().line(mark));
    }

    @Test
    void shouldStopAtBreakpointWhereJumpLeads() {
        session.move("next");
        session.breakAt("round");
        assertThat(jump("round").reason()).isEqualTo("breakpoint-hit");
        assertThat(session.integer("i")).isEqualTo(3);
        assertThat(session.integer("sum")).isEqualTo(50);
        assertThat(session.forward().reason()).isEqualTo("breakpoint-hit");
        assertThat(session.integer("i")).isEqualTo(4);
        assertThat(session.integer("sum")).isEqualTo(70);
    }

    @Test
    void shouldStopAtBreakpointWhereNewProgramCounterLeads() {
        String round = "*" + session.integer("$pc");
        session.move("next");
        session.gdb().console("break " + round + " if i == 4");
        session.gdb().console("set var $pc = " + round.substring(1));
        assertThat(session.forward().reason()).isEqualTo("breakpoint-hit");
        assertThat(session.integer("i")).isEqualTo(4);
        assertThat(session.integer("sum")).isEqualTo(70);
    }

    /** As large as the processor's registers can watch, and larger. */
    @ParameterizedTest
    @ValueSource(strings = {"sum", "*(char (*)[64]) &sum"})
    void shouldStopAtWatchpointBehindJump(String watched) {
        session.move("next");
        session.watchLocation(watched);
        MiStop stop = jump("round");
        assertThat(stop.reason()).isEqualTo("watchpoint-trigger");
        assertThat(session.integer("sum")).isEqualTo(70);
        session.deleteBreakpoints();
        session.reverse();
        session.runTo("print");
        assertThat(session.integer("sum")).isEqualTo(75);
    }

    @Test
    void shouldWriteMemoryInBlocks() {
        String address = session.evaluate("&sum").replaceAll(".*(0x[0-9a-f]+).*", "$1");
        session.gdb().command("-data-write-memory-bytes " + address + " 0a0b0c0d");
        assertThat(session.integer("sum")).isEqualTo(0x0d0c0b0a);
        session.move("next");
        assertThat(session.integer("sum")).isEqualTo(50);
    }
}
