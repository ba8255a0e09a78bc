package dev.eremite.cli.command;

import dev.eremite.cli.engine.Outcome;
import dev.eremite.replay.record.RecordCosts;
import dev.eremite.replay.store.Json;
import dev.eremite.replay.store.Recording;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import tools.jackson.core.JsonGenerator;

/** What a recording came to, for {@code --stats} and {@code --json}. */
final class RecordReport {
    private final Outcome outcome;
    private final double seconds;
    private final ProcessorTimes times;
    private final Recording recording;
    private final Supplier<RecordingStatistics> statistics;

    /**
     * A report.
     *
     * @param seconds how long recording took
     * @param times the processor time that it took
     */
    RecordReport(Outcome outcome, double seconds, ProcessorTimes times, Recording recording) {
        this.outcome = outcome;
        this.seconds = seconds;
        this.times = times;
        this.recording = recording;
        RecordingStatistics[] counted = new RecordingStatistics[1];
        // Counting reads all of the log, which happens once and only if asked for.
        statistics = () -> {
            if (counted[0] == null) {
                counted[0] = RecordingStatistics.of(recording);
            }
            return counted[0];
        };
    }

    /** The lines of {@code --stats}, without their ends. */
    List<String> lines() {
        RecordCosts costs = outcome.costs();
        List<String> lines = new ArrayList<>();
        lines.add("%,d events, %,d stops, %,d bytes of log, %.3f s"
                .formatted(outcome.events(), costs.totalStops(), outcome.logBytes(), seconds));
        lines.add("  %.3f s of it waiting for the program".formatted(costs.waitedNanos() / 1e9));
        lines.add("  processor time: program %.2f s, kernel for it %.2f s, engine %.2f s, kernel for it %.2f s"
                .formatted(times.children(), times.childrenKernel(), times.own(), times.ownKernel()));
        statistics.get().lines().forEach(line -> lines.add("  " + line));
        lines.add("  stops:");
        long rest = costs.totalStops();
        for (RecordCosts.Count count : costs.counts()) {
            lines.add("  %,9d for %,9d %s".formatted(count.stops(), count.times(), count.name()));
            rest -= count.stops();
        }
        lines.add("  %,9d to start, to switch and to end".formatted(rest));
        return lines;
    }

    /** The contents of the file of {@code --json}. */
    byte[] json() {
        return Json.write(true, json -> {
            json.writeStartObject();
            json.writeStringProperty("id", outcome.id());
            json.writeStringProperty("directory", recording.directory().toString());
            json.writeStringProperty("state", recording.info().state().text());
            json.writeNumberProperty("status", outcome.status());
            json.writeNumberProperty("exitStatus", outcome.exitStatus());
            json.writeNumberProperty("signal", outcome.signal());
            json.writeBooleanProperty("timedOut", outcome.timedOut());
            json.writeNumberProperty("events", outcome.events());
            json.writeNumberProperty("durationMs", Math.round(seconds * 1000));
            json.writeName("bytes");
            json.writeStartObject();
            json.writeNumberProperty("log", outcome.logBytes());
            json.writeNumberProperty("files", statistics.get().fileBytes());
            json.writeEndObject();
            numbers(json, "memoryByKind", statistics.get().bytes());
            numbers(json, "eventsByKind", statistics.get().events());
            stops(json);
            times(json);
            json.writeEndObject();
        });
    }

    private static void numbers(JsonGenerator json, String name, Map<String, Long> numbers) {
        json.writeName(name);
        json.writeStartObject();
        numbers.forEach(json::writeNumberProperty);
        json.writeEndObject();
    }

    private void stops(JsonGenerator json) {
        json.writeNumberProperty("stops", outcome.costs().totalStops());
        json.writeName("stopsByCause");
        json.writeStartObject();
        for (RecordCosts.Count count : outcome.costs().counts()) {
            json.writeName(count.name());
            json.writeStartObject();
            json.writeNumberProperty("times", count.times());
            json.writeNumberProperty("stops", count.stops());
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private void times(JsonGenerator json) {
        json.writeName("seconds");
        json.writeStartObject();
        json.writeNumberProperty("waiting", outcome.costs().waitedNanos() / 1e9);
        json.writeNumberProperty("program", times.children());
        json.writeNumberProperty("programKernel", times.childrenKernel());
        json.writeNumberProperty("engine", times.own());
        json.writeNumberProperty("engineKernel", times.ownKernel());
        json.writeEndObject();
    }

    /** The same for a recording that failed. */
    static byte[] failure(int status, String code, String message) {
        return Json.write(true, json -> {
            json.writeStartObject();
            json.writeNumberProperty("status", status);
            json.writeName("error");
            json.writeStartObject();
            json.writeStringProperty("code", code);
            json.writeStringProperty("message", message);
            json.writeEndObject();
            json.writeEndObject();
        });
    }
}
