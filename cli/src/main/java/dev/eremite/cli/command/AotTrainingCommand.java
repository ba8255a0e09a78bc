package dev.eremite.cli.command;

import dev.eremite.cli.Main;
import dev.eremite.cli.dap.DapTraining;
import dev.eremite.cli.guest.RawArguments;
import dev.eremite.replay.store.DataDirectory;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * What the launcher runs after each build to make the JVM's AOT caches: the commands whose start should be fast, in this
 * process. A failing one does no harm: what it loaded before it failed is in the cache. There is a cache for running and
 * one for debugging, since all classes of a cache are loaded at the start.
 */
public final class AotTrainingCommand implements Verb {
    private static final List<List<String>> COMMANDS = List.of(
            List.of("--version"),
            List.of("--help"),
            List.of("record", "-q", "--", "/bin/true"),
            List.of("record", "-q", "--stats", "--", "/bin/sh", "-c", "/bin/ls / | /bin/cat"),
            List.of("replay", "--autopilot"));
    private static final List<List<String>> BEFORE_DEBUGGING = List.of(List.of("record", "-q", "--", "/bin/true"));

    private final CommandSpec spec =
            Syntax.command(this, "aot-training", "Run the commands that an AOT cache is made from.");
    private final Setting<Boolean> debugging = Syntax.flag(spec, "Those of a debugger's session.", "--debugging");

    /** The training; a verb is called once. */
    public AotTrainingCommand() {
        spec.usageMessage().hidden(true);
    }

    @Override
    public CommandSpec spec() {
        return spec;
    }

    @Override
    public Integer call() {
        RawArguments.forget();
        PrintWriter out = spec.commandLine().getOut();
        for (List<String> command : debugging.get() ? BEFORE_DEBUGGING : COMMANDS) {
            String[] args = command.toArray(String[]::new);
            CommandLine line = Main.commandLine(args).setOut(out).setErr(out);
            out.println(command + ": " + line.execute(args));
        }
        if (debugging.get()) {
            new DapTraining(DataDirectory.locate(null, System.getenv())).run(out);
        }
        return 0;
    }
}
