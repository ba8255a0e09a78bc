package dev.eremite.replay.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.detcore.syscall.SyscallDecoder;
import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.EventSummary;
import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.replay.event.RegisterProof;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventFormsTest {
    private static final Event.Syscall READ = new Event.Syscall(
            7,
            new RegisterProof(0x1000, 0x2000, -1),
            0,
            new long[] {3, 0x3000, 10, 0, 0, 0},
            3,
            List.of(new MemoryWrite(0x3000, "a\"\n".getBytes(StandardCharsets.UTF_8))),
            0,
            Effect.None.INSTANCE);

    private final EventSummary summary = new EventSummary(SyscallDecoder.linux());
    private final EventJson json = new EventJson(number -> null);

    @Test
    void shouldPrintACallAsStraceDoes() {
        assertThat(summary.line(READ))
                .isEqualTo("7 read(3, \"a\\\"\\n\", 10)                    = 3; writes 3 bytes at 0x3000");
    }

    @Test
    void shouldTellTheArgumentsOfACallThatWaited() {
        assertThat(summary.line(new Event.SyscallEnter(7, READ.proof(), 0, READ.args(), List.of())))
                .isEqualTo("7 read(3, 0x3000, 10) waits");
        Event.SyscallExit exit = new Event.SyscallExit(7, 0, 3, READ.writes(), 0, Effect.None.INSTANCE);
        assertThat(summary.line(exit)).isEqualTo(summary.line(READ));
        // Its entry is among the events that were not asked for.
        assertThat(summary.line(exit)).isEqualTo("7 read ends = 3; writes 3 bytes at 0x3000");
    }

    @Test
    void shouldPrintEveryEventInBothForms() {
        RandomEvents events = new RandomEvents(9, 100);
        for (int i = 0; i < 700; i++) {
            Event event = events.next(i);
            assertThat(summary.line(event)).doesNotContain("\n");
            assertThat(json.line(i, event)).startsWith("{\"event\":" + i + ",").endsWith("}");
        }
        assertThat(json.line(5, READ)).contains("\"number\":0").contains("\"writes\":[{\"address\":\"0x3000\"");
    }
}
