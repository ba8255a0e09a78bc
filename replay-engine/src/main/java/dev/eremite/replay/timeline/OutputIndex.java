package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.TimeTravel.Printed;
import dev.eremite.replay.session.RecordingSource;
import dev.eremite.replay.session.ReplayOutput;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.tracer.linux.Tracer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the program prints, and by which event. The log does not hold it, so that a replay of its own finds it out. */
final class OutputIndex {
    private final List<Printed> writes;

    private OutputIndex(List<Printed> writes) {
        this.writes = writes;
    }

    /** Replays a recording from its beginning; empty when interrupted. */
    static Optional<OutputIndex> of(Tracer tracer, RecordingSource source, BooleanSupplier interrupted) {
        List<Printed> writes = new ArrayList<>();
        long[] event = new long[1];
        ReplayOutput collect = (stream, bytes) -> writes.add(new Printed(event[0], stream, bytes.clone()));
        try (ReplaySession session = new ReplaySession(tracer, source, collect)) {
            while (!session.atEnd()) {
                if (interrupted.getAsBoolean()) {
                    return Optional.empty();
                }
                event[0] = session.position();
                session.step();
            }
        }
        return Optional.of(new OutputIndex(List.copyOf(writes)));
    }

    /** All of it, in order; the event of a write is the one that ends the call. */
    List<Printed> writes() {
        return writes;
    }

    /** The last write before an event in which a match begins; without one, the first behind it. */
    OptionalLong find(Pattern pattern, long event) {
        OptionalLong before = OptionalLong.empty();
        OptionalLong behind = OptionalLong.empty();
        for (int stream = 1; stream <= 2; stream++) {
            for (long found : matches(pattern, stream)) {
                if (found < event) {
                    before = OptionalLong.of(Math.max(before.orElse(0), found));
                } else {
                    behind = OptionalLong.of(Math.min(behind.orElse(Long.MAX_VALUE), found));
                }
            }
        }
        return before.isPresent() ? before : behind;
    }

    /** A line may be written in pieces, so that a whole stream is searched at once. */
    private List<Long> matches(Pattern pattern, int stream) {
        StringBuilder text = new StringBuilder();
        List<Integer> ends = new ArrayList<>();
        List<Long> events = new ArrayList<>();
        for (Printed write : writes) {
            if (write.stream() == stream) {
                // One character for each byte: places in the text are places in the output.
                text.append(new String(write.bytes(), StandardCharsets.ISO_8859_1));
                ends.add(text.length());
                events.add(write.event());
            }
        }
        byte[] utf8 = pattern.pattern().getBytes(StandardCharsets.UTF_8);
        Matcher matcher = Pattern.compile(
                        new String(utf8, StandardCharsets.ISO_8859_1), pattern.flags() | Pattern.MULTILINE)
                .matcher(text);
        List<Long> found = new ArrayList<>();
        int piece = 0;
        while (matcher.find()) {
            while (piece < ends.size() && ends.get(piece) <= matcher.start()) {
                piece++;
            }
            if (piece < ends.size() && (found.isEmpty() || found.getLast() != (long) events.get(piece))) {
                found.add(events.get(piece));
            }
        }
        return found;
    }
}
