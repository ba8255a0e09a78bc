package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.command.RecordReplay;
import dev.eremite.tests.guest.Guest;
import dev.eremite.tests.mi.DebugSession;
import dev.eremite.tests.mi.MiStop;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checkpoints of a program that shares gigabytes of holes copy what there is, not the holes. */
@Tag("slow")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SparseCheckpointTest {
    private static final long LIMIT_BYTES = 64L << 20;

    @Test
    void shouldStepBackWhereSharedFilesAreMostlyHoles() {
        Guest guest = Guest.named("mapsparse");
        Path data = RecordReplay.newDataFolder("sparse");
        EremiteCommand eremite = new EremiteCommand(data);
        assertThat(eremite.record(guest.command()).status()).isZero();
        try (DebugSession session = DebugSession.attach(guest, eremite, data)) {
            session.runTo("end");
            for (int i = 0; i < 20; i++) {
                session.moveBack("step-instruction");
            }
            session.breakAt("second");
            MiStop stop = session.reverse();
            assertThat(stop.line()).isEqualTo(guest.line("second"));
            assertThat(session.integer("map[1 << 21]")).isEqualTo(2);
            assertThat(session.integer("map[1 << 29]")).isZero();
            assertThat(sharedBytes(session.server().pid())).isBetween(1L, LIMIT_BYTES);
        }
    }

    /** How much memory the anonymous files take that a process has open, at all of its checkpoints. */
    private static long sharedBytes(long pid) {
        String blocks = new Command(List.of(
                        "sh",
                        "-c",
                        "for f in /proc/$0/fd/*; do case $(readlink $f) in /memfd:eremite-shared*) stat -L -c %b $f;; esac; done",
                        Long.toString(pid)))
                .run()
                .output();
        return blocks.lines().mapToLong(Long::parseLong).sum() * 512;
    }
}
