package dev.eremite.cli.dap;

import dev.eremite.cli.engine.DebugOptions;
import dev.eremite.cli.engine.Engines;
import dev.eremite.cli.guest.GuestEnvironment;
import dev.eremite.cli.guest.RawArguments;
import dev.eremite.dap.Backend;
import dev.eremite.replay.debug.DebugTarget;
import dev.eremite.replay.session.ReplayOutput;
import dev.eremite.replay.store.DataDirectory;
import dev.eremite.replay.store.Recording;
import dev.eremite.replay.store.RecordingInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Gives the debug adapter this program's engine and recordings. */
final class EngineBackend implements Backend {
    private static final String DESCRIPTORS = "-Deremite.descriptors=";
    private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*\"([^\"]+)\"");

    private final DataDirectory directory;

    EngineBackend(DataDirectory directory) {
        this.directory = directory;
    }

    @Override
    public Opened open(String recording, int process, OutputListener output) {
        Recording found = directory.open(recording);
        DebugTarget target = Engines.engine().debug(found, new DebugOptions(process, -1), new ReplayOutput() {
            @Override
            public void write(int stream, byte[] bytes) {
                output.printed(stream, bytes, -1);
            }

            @Override
            public void write(int stream, byte[] bytes, long event) {
                output.printed(stream, bytes, event);
            }
        });
        return new Opened(target, found.info().id(), found.info().state() == RecordingInfo.State.COMPLETE);
    }

    @Override
    public ProcessBuilder recorder(Program program, Path report) {
        List<String> words = ownCommand();
        words.addAll(List.of("record", "-q", "--json", report.toString()));
        words.addAll(List.of("--data-dir", directory.path().toString()));
        if (!program.folder().isEmpty()) {
            words.addAll(List.of("--workdir", program.folder()));
        }
        program.environment()
                .forEach((name, value) -> words.addAll(List.of("-e", value == null ? name : name + "=" + value)));
        words.addAll(List.of("--", program.path()));
        words.addAll(program.arguments());
        return new ProcessBuilder(words);
    }

    /** The command line of this process up to its own arguments. */
    private static List<String> ownCommand() {
        List<String> words = new ArrayList<>();
        for (byte[] word : RawArguments.own()) {
            String text = new String(word, StandardCharsets.UTF_8);
            // A child of Java's inherits the standard streams alone.
            words.add(text.startsWith(DESCRIPTORS) ? DESCRIPTORS + "0,1,2," : text);
        }
        // Behind the JVM's path.
        words.add(1, "-Deremite.parent=" + ProcessHandle.current().pid());
        return words;
    }

    @Override
    public String recorded(Path report) {
        try {
            Matcher id = ID.matcher(Files.readString(report));
            return id.find() ? id.group(1) : "";
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public void restoreEnvironment(Map<String, String> environment) {
        GuestEnvironment.restore(environment, GuestEnvironment.callersNames());
    }
}
