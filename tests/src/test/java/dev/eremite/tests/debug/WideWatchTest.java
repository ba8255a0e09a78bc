package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.mi.DebugSession;
import dev.eremite.tests.mi.DebugSession.Backend;
import dev.eremite.tests.mi.MiStop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Watchpoints that the processor's registers cannot hold, in a program of a billion instructions, which would take hours if they
 * were stepped.
 */
@Tag("slow")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class WideWatchTest {
    private static final Duration EACH = Duration.ofSeconds(60);

    /** The lines behind those that change what is watched, in order; "e" is run through three times, and changes it twice. */
    private static final List<String> CHANGES = List.of("a", "b", "c", "d", "e", "e", "f", "g");

    private static int line(DebugSession session, String mark) {
        return session.guest().line("wide-" + mark);
    }

    /** The lines of stops up to an end of history; a stop going forward is one statement behind the change. */
    private static List<Integer> stops(Supplier<MiStop> move) {
        List<Integer> lines = new ArrayList<>();
        MiStop stop = move.get();
        while (!stop.historyEnd() && lines.size() < 50) {
            lines.add(stop.line());
            stop = move.get();
        }
        return lines;
    }

    /** Output comes when it is passed the first time, all parts of it. */
    private static void assertPrintedOnce(DebugSession session) {
        List<String> lines = session.printed()
                .lines()
                .filter(line -> !line.startsWith("eremite: ") && !line.startsWith("gdb "))
                .toList();
        assertThat(lines).containsExactly("half", "nearly", "2 9");
    }

    private static DebugSession open() {
        DebugSession session = DebugSession.open(Backend.REPLAY, "widewatch");
        session.gdb().within(EACH);
        session.runTo("wide-start");
        return session;
    }

    private static void watchAll(DebugSession session) {
        for (String variable : List.of("table", "one", "two", "three", "four")) {
            session.watchLocation(variable);
        }
    }

    @Test
    void shouldStopAtEachChangeBothWays() {
        try (DebugSession session = open()) {
            watchAll(session);
            List<Integer> forwards = stops(session::forward);
            assertThat(forwards).hasSameSizeAs(CHANGES);
            List<Integer> backwards = stops(session::reverse);
            assertThat(backwards)
                    .containsExactlyElementsOf(CHANGES.reversed().stream()
                            .map(mark -> line(session, mark))
                            .toList());
            assertThat(session.runToEnd().historyEnd()).isTrue();
            assertPrintedOnce(session);
        }
    }

    @Test
    void shouldPrintAllOutputOnce() {
        try (DebugSession session = open()) {
            assertThat(session.runToEnd().historyEnd()).isTrue();
            assertThat(session.reverse().historyEnd()).isTrue();
            assertThat(session.runToEnd().historyEnd()).isTrue();
            assertPrintedOnce(session);
        }
    }

    @Test
    void shouldFindReadsOfLargeVariables() {
        try (DebugSession session = open()) {
            session.runTo("wide-g");
            session.watchReads("copy");
            MiStop stop = session.forward();
            // Both operands are fetched before anything is printed.
            assertThat(stop.line()).isGreaterThan(line(session, "g"));
            assertThat(session.integer("two")).isEqualTo(2);
            assertThat(session.forward().historyEnd()).isTrue();
        }
    }

    @Test
    void shouldStopAtBreakpointsInBetween() {
        try (DebugSession session = open()) {
            watchAll(session);
            session.breakAt("wide-d");
            session.breakAt("wide-f");
            List<Integer> forwards = stops(session::forward);
            assertThat(forwards).contains(line(session, "d"), line(session, "f"));
            List<Integer> backwards = stops(session::reverse);
            assertThat(backwards).contains(line(session, "a"), line(session, "d"), line(session, "f"));
        }
    }
}
