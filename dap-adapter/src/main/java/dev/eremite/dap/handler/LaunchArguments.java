package dev.eremite.dap.handler;

import dev.eremite.dap.mi.MiClient;
import dev.eremite.dap.protocol.RequestFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The attributes of {@code launch} and {@code attach}, see docs/dap.md. Filled from JSON: any may be absent. */
final class LaunchArguments {
    /** Where to show the program first. */
    enum StopAt {
        START,
        MAIN,
        CRASH,
        END
    }

    private static final int LAST_PORT = 65535;

    String recording;
    String program;
    List<String> args;
    Map<String, String> env;
    String cwd;
    String stdin;
    String stopAt;
    Integer process;
    Map<String, String> sourceMap;
    String gdbPath;
    List<String> setupCommands;
    Boolean noDebug;
    Boolean trace;
    String host;
    Integer port;

    StopAt stopAt() {
        String word = stopAt == null ? "main" : stopAt;
        for (StopAt known : StopAt.values()) {
            if (known.name().toLowerCase(Locale.ROOT).equals(word)) {
                return known;
            }
        }
        throw new RequestFailure("stopAt is one of start, main, crash, end, not " + word);
    }

    String gdb() {
        return gdbPath == null || gdbPath.isEmpty() ? "gdb" : gdbPath;
    }

    /** Commands for GDB before it connects. */
    List<String> setup() {
        List<String> commands = new ArrayList<>();
        if (sourceMap != null) {
            sourceMap.forEach((from, to) ->
                    commands.add("set substitute-path " + MiClient.quoted(from) + " " + MiClient.quoted(to)));
        }
        commands.addAll(setupCommands == null ? List.of() : setupCommands);
        return commands;
    }

    int checkedPort() {
        if (port == null || port < 1 || port > LAST_PORT) {
            throw new RequestFailure("attach needs a port from 1 to " + LAST_PORT);
        }
        return port;
    }
}
