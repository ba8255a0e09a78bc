package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.mi.DebugSession;
import dev.eremite.tests.mi.DebugSession.Backend;
import dev.eremite.tests.mi.MiStop;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The forward scenarios on a replay, and what only a replay does. */
@Tag("slow")
class ReplayForwardTest extends ForwardScenarios {
    @Override
    Backend backend() {
        return Backend.REPLAY;
    }

    @Test
    void shouldStopAtEndOfHistoryAndStayThere() {
        try (DebugSession session = open("basics")) {
            MiStop stop = session.runToEnd();
            assertThat(stop.historyEnd()).as(stop.toString()).isTrue();
            assertThat(session.threads()).isPositive();
            MiStop again = session.forward();
            assertThat(again.historyEnd()).as(again.toString()).isTrue();
            assertThat(session.integer("total")).isEqualTo(385);
        }
    }

    @Test
    void shouldServeOneDebuggerAfterAnother() {
        try (DebugSession session = open("basics")) {
            session.runTo("main-print");
            session.gdb().command("-target-disconnect");
            session.gdb().resume("-target-select extended-remote " + session.address());
            session.runTo("main-print-keys");
            assertThat(session.integer("keys")).isEqualTo(16);
        }
    }
}
