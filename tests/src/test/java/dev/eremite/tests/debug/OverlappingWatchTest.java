package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.mi.DebugSession;
import dev.eremite.tests.mi.DebugSession.Backend;
import dev.eremite.tests.mi.MiStop;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Watchpoints on the same memory, one of which has a condition that does not hold: it must not hide the other. */
@Tag("slow")
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class OverlappingWatchTest {
    private static final String WIDE = "*(char (*)[8]) ((char *) &total - 4)";

    /** More than the processor's registers can watch. */
    private static final String WIDEST = "*(char (*)[64]) ((char *) &total - 32)";

    private static Stream<Arguments> backends() {
        return Stream.of(Backend.values())
                .flatMap(backend -> Stream.of(Arguments.of(backend, true), Arguments.of(backend, false)));
    }

    private static void watch(DebugSession session, String wide, boolean wideFirst) {
        String condition = "watch " + wide + " if total == 77";
        if (wideFirst) {
            session.gdb().console(condition);
            session.watch("total");
        } else {
            session.watch("total");
            session.gdb().console(condition);
        }
    }

    private static void assertHit(DebugSession session, MiStop stop, long total) {
        assertThat(stop.reason()).isEqualTo("watchpoint-trigger");
        assertThat(session.integer("total")).isEqualTo(total);
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldStopForwards(Backend backend, boolean wideFirst) {
        try (DebugSession session = DebugSession.open(backend, "basics")) {
            session.runTo("main-loop");
            watch(session, WIDE, wideFirst);
            assertHit(session, session.forward(), 1);
            assertHit(session, session.forward(), 5);
        }
    }

    @Test
    void shouldStopForwardsWithWatchpointsThatNeedSteps() {
        try (DebugSession session = DebugSession.open(Backend.REPLAY, "basics")) {
            session.runTo("main-loop");
            watch(session, WIDEST, true);
            assertHit(session, session.forward(), 1);
            assertHit(session, session.forward(), 5);
        }
    }

    @Test
    void shouldStopBackwards() {
        for (String wide : new String[] {WIDE, WIDEST}) {
            try (DebugSession session = DebugSession.open(Backend.REPLAY, "basics")) {
                session.runTo("main-print");
                watch(session, wide, true);
                assertHit(session, session.reverse(), 285);
                assertHit(session, session.reverse(), 204);
            }
        }
    }

    @Test
    void shouldStopStepsBackwards() {
        try (DebugSession session = DebugSession.open(Backend.REPLAY, "basics")) {
            session.runTo("main-progress");
            watch(session, WIDE, true);
            MiStop stop = session.moveBack("step-instruction");
            for (int i = 0; i < 8 && !stop.reason().equals("watchpoint-trigger"); i++) {
                stop = session.moveBack("step-instruction");
            }
            assertHit(session, stop, 0);
        }
    }
}
