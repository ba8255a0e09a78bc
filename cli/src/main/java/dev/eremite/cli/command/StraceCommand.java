package dev.eremite.cli.command;

import dev.eremite.cli.engine.Engines;
import dev.eremite.cli.engine.GuestProgram;
import picocli.CommandLine.Model.CommandSpec;

/** {@code eremite strace}: runs a program and prints its system calls, decoded by Eremite's own table. */
public final class StraceCommand implements Verb {
    private final CommandSpec spec = Syntax.command(this, "strace", "Run a program and print its system calls.");
    private final GuestOptions guest = new GuestOptions(spec);

    /** A run that is printed; a verb is called once. */
    public StraceCommand() {
        spec.usageMessage().customSynopsis("eremite strace [OPTIONS] -- PROG [ARGS]");
    }

    @Override
    public CommandSpec spec() {
        return spec;
    }

    @Override
    public Integer call() {
        GuestProgram program = guest.program();
        return Engines.engine().strace(program).status();
    }
}
