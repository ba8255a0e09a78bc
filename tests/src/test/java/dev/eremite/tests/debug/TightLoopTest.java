package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.mi.DebugSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Going back from where an interrupt stopped a loop that ran millions of rounds, each of few bytes. */
@Tag("slow")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TightLoopTest {
    /** Where each round costs a stop, it takes minutes. */
    private static final Duration EACH = Duration.ofSeconds(8);

    private static final Duration A_WHILE = Duration.ofMillis(300);
    private static final int STEPS = 12;

    /** A session in front of the loop. */
    private static DebugSession open(String loop, String optimisation) {
        DebugSession session = Endless.record("tightloop", "tightloop.c", List.of("-g", optimisation), loop)
                .debug();
        session.deleteBreakpoints();
        session.gdb().console("tbreak " + loop);
        session.forward();
        return session;
    }

    private static String state(DebugSession session) {
        return session.evaluate("$pc") + " " + session.evaluate("$rax") + " " + session.evaluate("$rcx") + " "
                + session.evaluate("rounds");
    }

    private static void run(DebugSession session) {
        session.gdb().interrupted("-exec-continue", A_WHILE);
    }

    /** Some steps back, and the same forward. */
    private static void backAndForth(DebugSession session) {
        List<String> states = new ArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            states.add(state(session));
            session.moveBack("step-instruction");
        }
        assertThat(states.get(0)).isNotEqualTo(states.get(1));
        for (int i = STEPS - 1; i >= 0; i--) {
            session.move("step-instruction");
            assertThat(state(session)).as("%d steps before the end", i).isEqualTo(states.get(i));
        }
    }

    private static void backToWrites(DebugSession session) {
        session.watchLocation("rounds");
        session.reverse();
        long rounds = session.integer("rounds");
        for (int i = 1; i < 4; i++) {
            session.reverse();
            assertThat(session.integer("rounds")).isEqualTo(rounds - i);
        }
        session.deleteBreakpoints();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "unoptimised", "calls", "nested", "wide"})
    void shouldGoBackToWritesOfLoops(String loop) {
        try (DebugSession session = open(loop, loop.equals("unoptimised") ? "-O0" : "-O1")) {
            session.gdb().within(EACH);
            run(session);
            backAndForth(session);
            backToWrites(session);
            run(session);
            backAndForth(session);
            backToWrites(session);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"counter", "decrement", "polls"})
    void shouldStepBackInLoopsThatWriteNothing(String loop) {
        try (DebugSession session = open(loop, "-O1")) {
            session.gdb().within(EACH);
            for (int i = 0; i < 2; i++) {
                run(session);
                backAndForth(session);
            }
        }
    }

    /** Those that an earlier run has left lie before the end and behind the place where this one begins. */
    @Test
    void shouldGoBackFromTheEndPastCheckpointsOfBefore() {
        try (DebugSession session = open("unoptimised", "-O0")) {
            session.runToEnd();
            session.gdb().console("monitor seek start");
            session.gdb().console("tbreak unoptimised");
            session.forward();
            session.gdb().within(EACH);
            run(session);
            backToWrites(session);
            session.gdb().within(Duration.ofSeconds(60));
            assertThat(session.runToEnd().historyEnd()).isTrue();
            session.gdb().within(EACH);
            backToWrites(session);
        }
    }
}
