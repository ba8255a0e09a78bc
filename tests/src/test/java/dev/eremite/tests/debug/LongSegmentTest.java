package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.mi.DebugSession;
import dev.eremite.tests.mi.DebugSession.Backend;
import dev.eremite.tests.mi.MiStop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long it takes to go backwards where much is computed and no system call is near. */
@Tag("slow")
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class LongSegmentTest {
    private static final Duration FIRST_STEP = Duration.ofSeconds(2);
    private static final Duration LATER_STEPS = Duration.ofMillis(50);
    private static final Duration HOT_BREAKPOINT = Duration.ofSeconds(5);
    private static final Duration INTERRUPT = Duration.ofMillis(200);
    private static final int TRIES = 3;

    @Test
    void shouldStepBackFromTheEndOfTwoSecondsOfComputation() {
        try (DebugSession session = DebugSession.open(Backend.REPLAY, "longsegment")) {
            session.runTo("computed");
            String result = session.evaluate("$rip");
            Duration first = time(() -> session.moveBack("step-instruction"));
            assertThat(session.evaluate("$rip")).isNotEqualTo(result);
            List<Duration> later = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                later.add(time(() -> session.moveBack("step-instruction")));
            }
            later.sort(null);
            assertThat(first).as("first step back").isLessThanOrEqualTo(FIRST_STEP);
            // One of twenty may meet another process's turn on the processor.
            assertThat(later.get(18)).as("later steps back: %s", later).isLessThanOrEqualTo(LATER_STEPS);
        }
    }

    @Test
    void shouldFindLastOfMillionHitsBackwards() {
        try (DebugSession session = DebugSession.open(Backend.REPLAY, "million")) {
            session.runTo("end");
            session.breakAt("million");
            Duration taken = time(session::reverse);
            assertThat(session.integer("i")).isEqualTo(1_000_000);
            assertThat(session.integer("hits")).isEqualTo(999_999);
            assertThat(taken).isLessThanOrEqualTo(HOT_BREAKPOINT);
            session.reverse();
            assertThat(session.integer("i")).isEqualTo(999_999);
        }
    }

    /** Debuggers compile conditions; these need a word of the stack, a register, and two words. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "million, i == 777777",
        "million-o2, i == 777777",
        "million, i == 777777 && hits == 777776",
        "million-calls, i == 777777",
    })
    void shouldFindConditionAmongMillionHitsBothWays(String guest, String condition) {
        try (DebugSession session = DebugSession.open(Backend.REPLAY, guest)) {
            session.runTo("start");
            session.breakAt("million", condition);
            for (int round = 0; round < 2; round++) {
                assertThat(time(session::forward)).as("forwards").isLessThanOrEqualTo(HOT_BREAKPOINT);
                assertAtSought(session);
                session.runTo("end");
                assertThat(time(session::reverse)).as("backwards").isLessThanOrEqualTo(HOT_BREAKPOINT);
                assertAtSought(session);
                MiStop before = session.reverse();
                assertThat(before.historyEnd()).as(before.reason()).isTrue();
                session.runTo("start");
            }
        }
    }

    private static void assertAtSought(DebugSession session) {
        assertThat(session.integer("i")).isEqualTo(777_777);
        assertThat(session.integer("hits")).isEqualTo(777_776);
        assertThat(session.integer("target")).isZero();
    }

    @Test
    void shouldFindConditionBetweenSignalsBothWays() {
        try (DebugSession session = DebugSession.open(Backend.REPLAY, "itimer")) {
            session.gdb().console("handle SIGALRM nostop noprint pass");
            // On a busy machine a signal may land where the one before it did.
            session.breakAt("tick", "ticks >= 5 && rounds - seen[ticks - 1] > 2000");
            session.forward();
            long ticks = session.integer("ticks");
            long sought = session.integer("rounds") - 1000;
            session.deleteBreakpoints();
            session.breakAt("compute", "rounds == " + sought);
            assertThat(time(session::reverse)).isLessThanOrEqualTo(HOT_BREAKPOINT);
            assertThat(session.integer("rounds")).isEqualTo(sought);
            assertThat(session.integer("ticks")).isEqualTo(ticks);
            session.runTo("tick");
            session.reverse();
            assertThat(session.integer("rounds")).isEqualTo(sought);
            session.deleteBreakpoints();
            session.breakAt("tick");
            session.reverse();
            session.reverse();
            assertThat(session.integer("ticks")).isEqualTo(ticks - 2);
            session.deleteBreakpoints();
            session.breakAt("compute", "rounds == " + sought);
            assertThat(time(session::forward)).isLessThanOrEqualTo(HOT_BREAKPOINT);
            assertThat(session.integer("rounds")).isEqualTo(sought);
            assertThat(session.integer("ticks")).isEqualTo(ticks);
        }
    }

    @Test
    void shouldFindWriteInLongSegmentBackwards() {
        try (DebugSession session = DebugSession.open(Backend.REPLAY, "million")) {
            session.runTo("end");
            session.watch("target");
            MiStop stop = session.reverse();
            assertThat(stop.line()).isEqualTo(session.guest().line("target"));
            assertThat(session.integer("i")).isEqualTo(777_777);
            assertThat(session.integer("target")).isZero();
        }
    }

    @Test
    void shouldEndSoonWhenInterrupted() {
        try (DebugSession session = DebugSession.open(Backend.REPLAY, "million")) {
            session.runTo("end");
            session.breakAt("million", "hits == 12345678");
            assertInterrupted(session, "-exec-continue --reverse", 10);
            assertInterrupted(session, "-exec-continue --reverse", 100);
            assertInterrupted(session, "-exec-continue --reverse", 400);
            assertInterrupted(session, "-exec-continue", 50);
        }
        try (DebugSession session = DebugSession.open(Backend.REPLAY, "longsegment")) {
            session.runTo("start");
            assertInterrupted(session, "-exec-continue", 300);
            session.runTo("computed");
            assertInterrupted(session, "-exec-step-instruction --reverse", 100);
            session.watch("result");
            assertInterrupted(session, "-exec-continue --reverse", 300);
        }
    }

    /** The machine may be slow for a moment: of a few times the shortest counts. */
    private static void assertInterrupted(DebugSession session, String command, long afterMs) {
        List<Duration> times = new ArrayList<>();
        while (times.size() < TRIES && (times.isEmpty() || times.getLast().compareTo(INTERRUPT) > 0)) {
            Optional<Duration> taken = session.gdb().interrupted(command, Duration.ofMillis(afterMs));
            if (taken.isEmpty()) {
                return;
            }
            times.add(taken.get());
        }
        assertThat(times.getLast())
                .as("%s interrupted after %d ms: %s", command, afterMs, times)
                .isLessThanOrEqualTo(INTERRUPT);
    }

    private static Duration time(Runnable action) {
        long started = System.nanoTime();
        action.run();
        return Duration.ofNanos(System.nanoTime() - started);
    }
}
