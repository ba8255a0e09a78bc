package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.guest.Guest;
import dev.eremite.tests.mi.DebugSession;
import dev.eremite.tests.mi.DebugSession.Backend;
import dev.eremite.tests.mi.MiStop;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bug hunts, the README's among them: from the crash straight to the line, in another thread, that destroyed the value. */
@Tag("slow")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class BugHuntTest {
    @Test
    void shouldFindGuiltyLineInOneTry() {
        try (DebugSession session = DebugSession.open(Backend.REPLAY, "bughunt")) {
            MiStop crash = session.forward();
            assertThat(crash.signal()).isEqualTo("SIGSEGV");
            session.gdb().command("-stack-select-frame " + session.backtrace().indexOf("main"));
            session.watchLocation("account->owner");
            MiStop guilty = session.reverse();
            assertThat(guilty.function()).isEqualTo("deposit");
            assertThat(guilty.line()).isEqualTo(session.guest().line("guilty"));
            assertThat(session.integer("slot")).isEqualTo(8);
            assertThat(session.integer("amount")).isEqualTo(2017);
            assertThat(session.evaluate("account->owner")).endsWith("\"alice\"");
            session.gdb().command("-stack-select-frame 1");
            assertThat(session.integer("worker")).isEqualTo(2);
            assertThat(session.integer("round")).isEqualTo(17);
        }
    }

    @Test
    void shouldGoTheWayOfTheReadme() {
        Guest sample = new Guest(
                "tour", "../../vscode-sample/sample/bank.c", List.of("-g", "-pthread"), List.of(), 128 + 11, false);
        try (DebugSession session = DebugSession.openGuest(sample)) {
            MiStop crash = session.forward();
            assertThat(crash.signal()).isEqualTo("SIGSEGV");
            assertThat(crash.function()).isEqualTo("print_statement");
            session.watchLocation("account->balance");
            MiStop guilty = session.reverse();
            assertThat(guilty.function()).isEqualTo("rename_account");
            assertThat(session.integer("i")).isEqualTo(23);
        }
    }
}
