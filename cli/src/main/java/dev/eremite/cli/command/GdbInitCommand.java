package dev.eremite.cli.command;

import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;

/** Prints commands for gdb that wrap the engine's own ({@code monitor}). */
public final class GdbInitCommand implements Verb {
    private final CommandSpec spec =
            Syntax.command(this, "gdbinit", "Print commands for gdb: seek, when, events, …; source them in gdb.");

    @Override
    public CommandSpec spec() {
        return spec;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(GdbInit.text());
        out.flush();
        return 0;
    }
}
