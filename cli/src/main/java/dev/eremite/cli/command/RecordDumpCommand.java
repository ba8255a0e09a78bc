package dev.eremite.cli.command;

import dev.eremite.cli.engine.Engines;
import dev.eremite.replay.event.EventSummary;
import dev.eremite.replay.log.EventLog;
import dev.eremite.replay.store.DataDirectory;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code eremite record dump}: the events of a recording, one a line, for people. */
@Command(name = "dump", description = "Print the events of a recording.")
public final class RecordDumpCommand implements Callable<Integer> {
    @Parameters(arity = "0..1", paramLabel = "ID", defaultValue = DataDirectory.LATEST, description = "The recording.")
    private String id;

    @Option(names = "--from", paramLabel = "N", defaultValue = "0", description = "The first event (default: 0).")
    private long from;

    @Option(names = "--to", paramLabel = "N", description = "The last event (default: the recording's last).")
    private Long to;

    @Mixin
    private DataDirectoryOption dataDirectory;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        EventSummary summary = new EventSummary(Engines::callName);
        try (EventLog.Reader log = dataDirectory.directory().open(id).openLog()) {
            long last = to == null ? log.size() - 1 : Math.min(to, log.size() - 1);
            // checkError: nobody reads any more (head), so nothing is worth writing.
            for (long number = Math.max(0, from); number <= last && !out.checkError(); number++) {
                out.println("#" + number + " " + summary.line(log.read(number)));
            }
            if (!log.complete()) {
                out.println("cut short after " + log.size() + " events");
            }
        }
        out.flush();
        return 0;
    }
}
