package dev.eremite.cli.command;

import dev.eremite.replay.log.LogException;
import dev.eremite.replay.store.DataDirectory;
import dev.eremite.replay.store.Recording;
import dev.eremite.replay.store.RecordingInfo;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;

/** {@code eremite record show}: what is known of a recording. */
public final class RecordShowCommand implements Verb {
    private final CommandSpec spec = Syntax.command(this, "show", "Show what is known of a recording.");
    private final Setting<String> id = Syntax.parameter(spec, "ID", DataDirectory.LATEST, "The recording.");
    private final Setting<Boolean> json = Syntax.flag(spec, "Print its metadata as JSON instead.", "--json");
    private final DataDirectoryOption dataDirectory = new DataDirectoryOption(spec);

    @Override
    public CommandSpec spec() {
        return spec;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Recording recording = dataDirectory.directory().open(id.get());
        if (json.get()) {
            out.print(metadata(recording.directory()));
        } else {
            print(out, recording);
        }
        out.flush();
        return 0;
    }

    private static void print(PrintWriter out, Recording recording) {
        RecordingInfo info = recording.info();
        out.println("id          " + info.id());
        out.println("folder      " + recording.directory());
        out.println("created     " + info.created());
        out.println("state       "
                + (info.state() == RecordingInfo.State.RUNNING && !info.beingWritten()
                                ? RecordingInfo.State.CUT
                                : info.state())
                        .text());
        out.println("command     " + String.join(" ", info.start().argv()));
        out.println("executable  " + info.start().executable());
        out.println("directory   " + info.start().cwd());
        out.println(
                "machine     " + info.start().cpu() + ", Linux " + info.start().kernel());
        out.println("eremite     " + info.start().eremite());
        if (info.state() == RecordingInfo.State.COMPLETE) {
            out.println("status      " + info.status() + (info.signal() == 0 ? "" : " (signal " + info.signal() + ")"));
            out.println("events      " + info.events());
            out.println("took        " + info.durationMs() + " ms");
            out.println("size        " + info.bytes() + " bytes without files");
        }
        out.println("files       " + recording.files().size());
        recording.files().keySet().stream().sorted().forEach(path -> out.println("  " + path));
    }

    /** The recording's metadata file as it is. */
    static String metadata(Path recording) {
        try {
            return Files.readString(recording.resolve("recording.json"));
        } catch (IOException e) {
            throw LogException.ofIo("cannot read the metadata of " + recording, e);
        }
    }
}
