package dev.eremite.cli.command;

import dev.eremite.cli.engine.Engines;
import dev.eremite.detcore.syscall.SyscallDecoder;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.EventRange;
import dev.eremite.replay.event.EventSummary;
import dev.eremite.replay.log.EventJson;
import dev.eremite.replay.log.EventLog;
import dev.eremite.replay.store.DataDirectory;
import java.io.PrintWriter;
import java.util.function.BiFunction;
import picocli.CommandLine.Model.CommandSpec;

/** {@code eremite record dump}: the events of a recording, one a line, for people or for programs. */
public final class RecordDumpCommand implements Verb {
    private final CommandSpec spec = Syntax.command(this, "dump", "Print the events of a recording.");
    private final Setting<String> id = Syntax.parameter(spec, "ID", DataDirectory.LATEST, "The recording.");
    private final Setting<String> events = Syntax.option(
            spec,
            String.class,
            "A..B",
            "The first and the last of them (default: all); A.. and ..B leave one end open, A is one.",
            "--events");

    private final Setting<Boolean> json =
            Syntax.flag(spec, "Print each event as a JSON object in a line, with all its data.", "--json");
    private final DataDirectoryOption dataDirectory = new DataDirectoryOption(spec);

    @Override
    public CommandSpec spec() {
        return spec;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        EventRange wanted = EventArguments.range(spec.commandLine(), events.get());
        try (EventLog.Reader log = dataDirectory.directory().open(id.get()).openLog()) {
            EventRange range = EventArguments.within(spec.commandLine(), wanted, log.size());
            BiFunction<Long, Event, String> form = form();
            // checkError: nobody reads any more (head), so nothing is worth writing.
            for (long number = range.first(); number <= range.last() && !out.checkError(); number++) {
                out.println(form.apply(number, log.read(number)));
            }
            if (!log.complete() && !json.get() && range.last() == log.size() - 1) {
                out.println("cut short after " + log.size() + " events");
            }
        }
        out.flush();
        return 0;
    }

    private BiFunction<Long, Event, String> form() {
        if (json.get()) {
            EventJson printer = new EventJson(Engines::callName);
            return printer::line;
        }
        EventSummary summary = new EventSummary(SyscallDecoder.linux());
        return (number, event) -> "#" + number + " " + summary.line(event);
    }
}
