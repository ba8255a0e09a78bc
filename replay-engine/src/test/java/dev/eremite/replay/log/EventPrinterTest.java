package dev.eremite.replay.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.MemoryWrite;
import dev.eremite.replay.event.RegisterProof;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

class EventPrinterTest {
    private static final Event READ = new Event.Syscall(
            7,
            new RegisterProof(0x1000, 0x2000, -1),
            0,
            new long[] {3, 0x3000, 10, 0, 0, 0},
            3,
            List.of(new MemoryWrite(0x3000, "a\"\n".getBytes(StandardCharsets.UTF_8))),
            0,
            Effect.None.INSTANCE);

    @Test
    void shouldPrintOneLine() {
        assertThat(new EventPrinter(number -> number == 0 ? "read" : null).line(5, READ))
                .isEqualTo("5 [7] read(0x3 0x3000 0xa 0x0 0x0 0x0) = 3, 0x3000 ← 3 bytes \"a\\\"\\n\"");
    }

    @Test
    void shouldPrintEveryEventInBothForms() {
        RandomEvents events = new RandomEvents(9, 100);
        for (int i = 0; i < 700; i++) {
            Event event = events.next(i);
            assertThat(new EventPrinter(number -> null).line(i, event)).doesNotContain("\n");
            assertThat(json(i, event)).startsWith("{\"event\":" + i + ",").endsWith("}");
        }
        assertThat(json(5, READ)).contains("\"number\":0").contains("\"writes\":[{\"address\":\"0x3000\"");
    }

    private static String json(long number, Event event) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
            new EventJson(call -> null).write(json, number, event);
        }
        return text.toString();
    }
}
