package dev.eremite.cli.command;

import dev.eremite.cli.dap.DapServer;
import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** {@code eremite dap}: the Debug Adapter Protocol, for editors. */
public final class DapCommand implements Verb {
    private static final int LAST_PORT = 65535;

    private final CommandSpec spec =
            Syntax.command(this, "dap", "Serve an editor (Debug Adapter Protocol) on stdin and stdout.");
    private final Setting<Integer> port = Syntax.option(
            spec,
            Integer.class,
            "N",
            "Serve on this port of the loopback interface until interrupted; 0: any free one.",
            "--port");
    private final DataDirectoryOption dataDirectory = new DataDirectoryOption(spec);

    /** A server; a verb is called once. */
    public DapCommand() {}

    @Override
    public CommandSpec spec() {
        return spec;
    }

    @Override
    public Integer call() {
        DapServer server = new DapServer(dataDirectory.directory());
        if (port.get() == null) {
            server.serveStandardStreams();
            return 0;
        }
        if (port.get() < 0 || port.get() > LAST_PORT) {
            throw new ParameterException(spec.commandLine(), "--port needs a number from 0 to " + LAST_PORT);
        }
        try {
            server.serve(port.get(), bound -> {
                PrintWriter err = spec.commandLine().getErr();
                err.println("eremite: serving the Debug Adapter Protocol on 127.0.0.1:" + bound);
                err.flush();
            });
        } catch (IOException e) {
            throw new UsageException(
                    ErrorCode.PORT,
                    "cannot listen on port " + port.get() + ": " + e.getMessage(),
                    "Choose another with --port; 0 takes any that is free.",
                    e);
        }
        return 0;
    }
}
