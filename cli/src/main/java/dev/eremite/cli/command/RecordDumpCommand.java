package dev.eremite.cli.command;

import dev.eremite.cli.engine.Engines;
import dev.eremite.detcore.syscall.SyscallDecoder;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.EventSummary;
import dev.eremite.replay.log.EventJson;
import dev.eremite.replay.log.EventLog;
import dev.eremite.replay.store.DataDirectory;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code eremite record dump}: the events of a recording, one a line, for people or for programs. */
@Command(name = "dump", description = "Print the events of a recording.")
public final class RecordDumpCommand implements Callable<Integer> {
    @Parameters(arity = "0..1", paramLabel = "ID", defaultValue = DataDirectory.LATEST, description = "The recording.")
    private String id;

    @Option(
            names = "--events",
            paramLabel = "A..B",
            description = "The first and the last of them (default: all); A.. and ..B leave one end open, A is one.")
    private String events;

    @Option(names = "--json", description = "Print each event as a JSON object in a line, with all its data.")
    private boolean json;

    @Mixin
    private DataDirectoryOption dataDirectory;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        EventRange wanted = EventRange.parse(spec.commandLine(), events);
        try (EventLog.Reader log = dataDirectory.directory().open(id).openLog()) {
            EventRange range = wanted.within(spec.commandLine(), log.size());
            BiFunction<Long, Event, String> form = form();
            // checkError: nobody reads any more (head), so nothing is worth writing.
            for (long number = range.first(); number <= range.last() && !out.checkError(); number++) {
                out.println(form.apply(number, log.read(number)));
            }
            if (!log.complete() && !json && range.last() == log.size() - 1) {
                out.println("cut short after " + log.size() + " events");
            }
        }
        out.flush();
        return 0;
    }

    private BiFunction<Long, Event, String> form() {
        if (json) {
            EventJson printer = new EventJson(Engines::callName);
            return printer::line;
        }
        EventSummary summary = new EventSummary(SyscallDecoder.linux());
        return (number, event) -> "#" + number + " " + summary.line(event);
    }
}
