package dev.eremite.cli.command;

import dev.eremite.cli.Main;
import dev.eremite.cli.guest.RawArguments;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * What the launcher runs once after each build to make the JVM's AOT cache: the commands whose start should be fast, in
 * this process. A failing one does no harm: what it loaded before it failed is in the cache.
 */
@Command(name = "aot-training", hidden = true, description = "Run the commands that the AOT cache is made from.")
public final class AotTrainingCommand implements Callable<Integer> {
    private static final List<List<String>> COMMANDS = List.of(
            List.of("--version"),
            List.of("--help"),
            List.of("record", "-q", "--", "/bin/true"),
            List.of("record", "-q", "--stats", "--", "/bin/sh", "-c", "/bin/ls / | /bin/cat"),
            List.of("replay", "--autopilot"));

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        RawArguments.forget();
        PrintWriter out = spec.commandLine().getOut();
        for (List<String> command : COMMANDS) {
            String[] args = command.toArray(String[]::new);
            CommandLine line = Main.commandLine(args).setOut(out).setErr(out);
            out.println(command + ": " + line.execute(args));
        }
        return 0;
    }
}
