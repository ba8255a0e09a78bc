package dev.eremite.cli.command;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints commands for gdb that wrap the engine's own ({@code monitor}). */
@Command(name = "gdbinit", description = "Print commands for gdb: seek, when, events, …; source them in gdb.")
public final class GdbInitCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(GdbInit.text());
        out.flush();
        return 0;
    }
}
