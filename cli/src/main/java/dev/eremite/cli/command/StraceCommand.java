package dev.eremite.cli.command;

import dev.eremite.cli.engine.Engines;
import dev.eremite.cli.engine.GuestProgram;
import dev.eremite.tracer.linux.TerminalSignals;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code eremite strace}: runs a program and prints its system calls, decoded by Eremite's own table. */
@Command(
        name = "strace",
        description = "Run a program and print its system calls.",
        customSynopsis = "eremite strace [OPTIONS] -- PROG [ARGS]")
public final class StraceCommand implements Callable<Integer> {
    @Mixin
    private GuestOptions guest;

    @Override
    public Integer call() {
        GuestProgram program = guest.program();
        try (TerminalSignals _ = TerminalSignals.leaveToGuest()) {
            return Engines.engine().strace(program).status();
        }
    }
}
