package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.mi.DebugSession;
import dev.eremite.tests.mi.DebugSession.Backend;
import dev.eremite.tests.mi.MiStop;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Catchpoints for system calls and signals in both directions, what a signal tells, and names of threads. */
@Tag("slow")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class CatchTest {
    private static DebugSession open(String guest) {
        return DebugSession.open(Backend.REPLAY, guest);
    }

    private static String call(MiStop stop) {
        return stop.reason() + " " + stop.details().text("syscall-name");
    }

    /** Stops until the end of history. */
    private static List<String> calls(DebugSession session, boolean forward) {
        List<String> calls = new ArrayList<>();
        MiStop stop = forward ? session.forward() : session.reverse();
        while (!stop.historyEnd()) {
            calls.add(call(stop) + " at " + session.evaluate("$pc"));
            stop = forward ? session.forward() : session.reverse();
        }
        return calls;
    }

    @Test
    void shouldCatchSystemCallsForwardAndTheSameBackwards() {
        try (DebugSession session = open("named")) {
            session.runTo("main-name");
            String main = session.evaluate("$pc");
            session.gdb().console("catch syscall futex 157 rt_tgsigqueueinfo rt_sigqueueinfo write");
            List<String> forward = calls(session, true);
            assertThat(forward)
                    .anyMatch(call -> call.startsWith("syscall-entry prctl"))
                    .anyMatch(call -> call.startsWith("syscall-return prctl"))
                    .anyMatch(call -> call.startsWith("syscall-entry futex"))
                    .filteredOn(call -> call.startsWith("syscall-return rt_sigqueueinfo"))
                    .hasSize(3);
            assertThat(forward.getLast()).startsWith("syscall-return write");
            session.gdb().command("-break-insert -t *" + main.split(" ")[0]);
            List<String> backward = new ArrayList<>();
            for (MiStop stop = session.reverse(); !stop.reason().equals("breakpoint-hit"); stop = session.reverse()) {
                backward.add(call(stop) + " at " + session.evaluate("$pc"));
            }
            Collections.reverse(backward);
            assertThat(backward).isEqualTo(forward);
        }
    }

    @Test
    void shouldCatchGroupsOfSystemCallsAndAll() {
        try (DebugSession session = open("calls")) {
            session.runTo("print");
            session.gdb().console("catch syscall");
            assertThat(session.forward().reason()).isEqualTo("syscall-entry");
            session.deleteBreakpoints();
            session.gdb().console("catch syscall group:memory");
            assertThat(call(session.reverse())).startsWith("syscall-return");
            assertThat(call(session.reverse())).startsWith("syscall-entry");
            session.deleteBreakpoints();
            assertThat(session.reverse().historyEnd()).isTrue();
        }
    }

    @Test
    void shouldSeeResultsAtReturnsOfCalls() {
        try (DebugSession session = open("calls")) {
            session.gdb().console("catch syscall write");
            assertThat(call(session.forward())).isEqualTo("syscall-entry write");
            assertThat(session.integer("$rax")).isEqualTo(-38);
            assertThat(session.integer("$orig_rax")).isEqualTo(1);
            long length = session.integer("$rdx");
            assertThat(call(session.forward())).isEqualTo("syscall-return write");
            assertThat(session.integer("$rax")).isEqualTo(length);
            assertThat(call(session.reverse())).isEqualTo("syscall-entry write");
            assertThat(session.integer("$rax")).isEqualTo(-38);
        }
    }

    @Test
    void shouldCatchSignalsInBothDirectionsWithWhatTheyTell() {
        try (DebugSession session = open("named")) {
            session.runTo("named");
            session.gdb().console("catch signal SIGUSR1");
            for (int i = 1; i <= 3; i++) {
                // For a caught signal gdb gives its machine interface no reason.
                session.forward();
                assertThat(session.gdb().console("info breakpoints"))
                        .containsPattern("SIGUSR1.*\\s+catchpoint already hit " + i + " time");
                assertThat(session.integer("$_siginfo.si_signo")).isEqualTo(10);
                assertThat(session.integer("$_siginfo._sifields._rt.si_sigval.sival_int"))
                        .isEqualTo(100L * i);
                assertThat(session.integer("received")).isEqualTo(100L * (i - 1));
            }
            for (int i = 2; i >= 1; i--) {
                session.reverse();
                assertThat(session.integer("$_siginfo._sifields._rt.si_sigval.sival_int"))
                        .isEqualTo(100L * i);
            }
            MiStop start = session.reverse();
            assertThat(start.historyEnd()).isTrue();
            assertThat(start.function()).isEqualTo("_start");
        }
    }

    @Test
    void shouldPassSignalsByWhenAskedTo() {
        try (DebugSession session = open("named")) {
            session.gdb().console("handle SIGUSR1 nostop noprint pass");
            session.runTo("print");
            assertThat(session.integer("received")).isEqualTo(300);
            assertThat(session.reverse().historyEnd()).isTrue();
            session.gdb().console("handle SIGUSR1 stop print");
            assertThat(session.forward().signal()).isEqualTo("SIGUSR1");
        }
    }

    @Test
    void shouldShowThreadsByTheirNames() {
        try (DebugSession session = open("named")) {
            session.runTo("named");
            assertThat(session.gdb().console("info threads"))
                    .contains("\"a name of fifte\"")
                    .contains("\"own-name\"")
                    .contains("\"given-name\"");
            session.gdb().console("thread find own-name");
            session.moveBack("next");
            assertThat(session.gdb().console("info threads")).contains("\"named-");
        }
    }
}
