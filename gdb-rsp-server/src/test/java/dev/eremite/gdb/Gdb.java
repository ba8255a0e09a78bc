package dev.eremite.gdb;

import java.util.ArrayList;
import java.util.List;

/** Runs a real GDB in batch mode. */
final class Gdb {
    private Gdb() {}

    /** The command line that connects to a server and then obeys the commands. */
    static List<String> commandLine(int port, String... commands) {
        List<String> line = new ArrayList<>(List.of("gdb", "-nx", "-batch"));
        for (String setting : List.of("debuginfod enabled off", "confirm off", "pagination off", "width 0")) {
            line.addAll(List.of("-ex", "set " + setting));
        }
        line.addAll(List.of("-ex", "target extended-remote localhost:" + port));
        for (String command : commands) {
            line.addAll(List.of("-ex", command));
        }
        return line;
    }

    /** Runs it to its end and returns what it printed. */
    static String run(int port, String... commands) throws Exception {
        return TinyProgram.run(commandLine(port, commands).toArray(String[]::new));
    }
}
