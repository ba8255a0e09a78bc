package dev.eremite.cli.command;

import dev.eremite.replay.store.Json;
import dev.eremite.replay.store.RecordingInfo;
import dev.eremite.replay.store.RecordingSummary;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;

/** {@code eremite record list}: one line for each recording, the oldest first. */
public final class RecordListCommand implements Verb {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());
    private static final int NARROWEST = 2;

    private final CommandSpec spec = Syntax.command(this, "list", "List the recordings.");
    private final Setting<Boolean> json =
            Syntax.flag(spec, "Print a JSON array of the recordings' metadata instead.", "--json");
    private final DataDirectoryOption dataDirectory = new DataDirectoryOption(spec);

    @Override
    public CommandSpec spec() {
        return spec;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        List<RecordingSummary> recordings = dataDirectory.directory().recordings();
        if (json.get()) {
            out.println(recordings.stream()
                    .map(recording -> recording.info() == null
                            ? damaged(recording)
                            : RecordShowCommand.metadata(recording.directory()).strip())
                    .collect(Collectors.joining(",\n", "[", "]")));
        } else if (!recordings.isEmpty()) {
            int width = recordings.stream()
                    .mapToInt(recording -> recording.id().length())
                    .max()
                    .orElse(NARROWEST);
            String format = "%-" + width + "s  %-9s  %6s  %9s  %-19s  %s";
            int columns = StandardStreams.outputColumns();
            out.println(format.formatted("ID", "STATE", "STATUS", "EVENTS", "CREATED", "COMMAND"));
            for (RecordingSummary recording : recordings) {
                out.println(cut(line(format, recording), columns));
            }
        }
        out.flush();
        return 0;
    }

    private static String damaged(RecordingSummary recording) {
        byte[] object = Json.write(true, json -> {
            json.writeStartObject();
            json.writeStringProperty("id", recording.id());
            json.writeStringProperty("state", recording.state());
            json.writeStringProperty("problem", recording.problem());
            json.writeEndObject();
        });
        return new String(object, StandardCharsets.UTF_8);
    }

    private static String line(String format, RecordingSummary recording) {
        RecordingInfo info = recording.info();
        if (info == null) {
            return format.formatted(recording.id(), recording.state(), "", "", "", recording.problem());
        }
        return format.formatted(
                recording.id(),
                recording.state(),
                info.status() < 0 ? "" : info.status(),
                info.events() < 0 ? "" : info.events(),
                TIME.format(info.created()),
                inOneLine(String.join(" ", info.start().argv())));
    }

    /** A command may hold anything; what would break the line is shown as a question mark. */
    private static String inOneLine(String command) {
        return command.codePoints()
                .map(character -> Character.isISOControl(character) ? '?' : character)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** What fits into a line of the terminal; characters that are wider than one column may still break it. */
    private static String cut(String line, int columns) {
        return columns <= 1 || line.codePointCount(0, line.length()) <= columns
                ? line
                : line.substring(0, line.offsetByCodePoints(0, columns - 1)) + "…";
    }
}
