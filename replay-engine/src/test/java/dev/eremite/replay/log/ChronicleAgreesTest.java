package dev.eremite.replay.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.queue.rollcycles.LargeRollCycles;
import net.openhft.chronicle.wire.DocumentContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What our own reader finds in a queue's file, Chronicle's finds too. */
@Timeout(60)
class ChronicleAgreesTest {
    @TempDir
    Path folder;

    @Test
    void shouldBeReadableByChronicle() {
        // More events than one page of the queue's index has entries for.
        int events = 5000;
        try (EventLog.Writer writer = ChronicleEventLog.create(folder)) {
            for (int i = 0; i < events; i++) {
                writer.append(new RandomEvents(i, 50).next(1));
            }
        }
        int documents = 0;
        try (SingleChronicleQueue queue = SingleChronicleQueueBuilder.binary(folder)
                        .rollCycle(LargeRollCycles.HUGE_DAILY)
                        .readOnly(true)
                        .build();
                ExcerptTailer tailer = queue.createTailer()) {
            for (boolean present = true; present; ) {
                try (DocumentContext document = tailer.readingDocument()) {
                    present = document.isPresent();
                    documents += present ? 1 : 0;
                }
            }
        }
        assertThat(documents).isEqualTo(events + 2);
    }
}
