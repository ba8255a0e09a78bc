package dev.eremite.tests.mi;

import dev.eremite.tests.command.CommandResult;
import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.command.Folders;
import dev.eremite.tests.command.RecordReplay;
import dev.eremite.tests.guest.Guest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A guest under GDB, either run by GDB itself (the oracle) or replayed by our server, at its first instruction or, when
 * native, not yet started. The movements are the same for both.
 */
public final class DebugSession implements AutoCloseable {
    /** Which one. */
    public enum Backend {
        /** GDB runs the guest; shows that a test's expected answers are right. */
        NATIVE,
        /** GDB is connected to the replay of a recording. */
        REPLAY
    }

    private final Guest guest;
    private final GdbMi gdb;
    private final ReplayServer server;
    private final Path data;
    private boolean started;

    private DebugSession(Guest guest, GdbMi gdb, ReplayServer server, Path data) {
        this.guest = guest;
        this.gdb = gdb;
        this.server = server;
        this.data = data;
    }

    /** Opens a guest under a backend; for REPLAY it is recorded first. */
    public static DebugSession open(Backend backend, String guestName) {
        Guest guest = Guest.named(guestName);
        if (backend == Backend.NATIVE) {
            return new DebugSession(guest, new GdbMi(guest.command()), null, null);
        }
        return record(guest, guestName, guest.command(), guest.status());
    }

    /** Opens a guest that is none of the table's in replay. */
    public static DebugSession openGuest(Guest guest) {
        return record(guest, guest.name(), guest.command(), guest.status());
    }

    /** Opens a program of the system, which must end with status 0, in replay; it has no marks, but functions. */
    public static DebugSession openProgram(String name, List<String> command) {
        return record(null, name, command, 0);
    }

    private static DebugSession record(Guest guest, String name, List<String> program, int status) {
        Path data = RecordReplay.newDataFolder("debug-" + name);
        EremiteCommand eremite = new EremiteCommand(data);
        CommandResult recorded = eremite.record(program);
        if (recorded.status() != status) {
            throw new AssertionError("recording " + name + " gave status " + recorded.status() + "\n"
                    + recorded.errors() + "\nagain: "
                    + eremite.recordCommand(program).line());
        }
        return attach(guest, program, eremite, data);
    }

    /** Opens the latest recording in a data folder, which is deleted with the session when owned is not null. */
    public static DebugSession attach(Guest guest, EremiteCommand eremite, Path owned) {
        return attach(guest, guest.command(), eremite, owned);
    }

    private static DebugSession attach(Guest guest, List<String> program, EremiteCommand eremite, Path owned) {
        ReplayServer server = new ReplayServer(eremite, "latest", Duration.ofSeconds(30));
        GdbMi gdb = new GdbMi(program.subList(0, 1));
        try {
            gdb.resume("-target-select extended-remote " + server.address());
        } catch (AssertionError e) {
            gdb.close();
            String printed = server.printed();
            server.close();
            throw new AssertionError(e.getMessage() + "\nthe server printed: " + printed, e);
        }
        DebugSession session = new DebugSession(guest, gdb, server, owned);
        session.started = true;
        return session;
    }

    /** The guest; null for a program of the system. */
    public Guest guest() {
        return guest;
    }

    /** The GDB behind. */
    public GdbMi gdb() {
        return gdb;
    }

    /** Whether the guest's past can be visited. */
    public boolean replaying() {
        return server != null;
    }

    /** Where the replay is served: HOST:PORT. */
    public String address() {
        return server.address();
    }

    /** The process that serves the replay. */
    public Process server() {
        return server.process();
    }

    /** Puts a breakpoint on a marked line; returns its number. */
    public String breakAt(String mark) {
        return gdb.command("-break-insert " + place(mark)).text("bkpt.number");
    }

    /** Puts a breakpoint with a condition on a marked line; returns its number. */
    public String breakAt(String mark, String condition) {
        return gdb.command("-break-insert -c " + GdbMi.quoted(condition) + " " + place(mark))
                .text("bkpt.number");
    }

    /** Watches an expression for writes; returns the watchpoint's number. */
    public String watch(String expression) {
        return gdb.command("-break-watch " + GdbMi.quoted(expression)).text("wpt.number");
    }

    /** Watches the memory that an expression names now, in whatever frame; returns the watchpoint's number. */
    public String watchLocation(String expression) {
        return lastWord(gdb.console("watch -location " + expression));
    }

    /** Watches an expression for reads; returns the watchpoint's number. */
    public String watchReads(String expression) {
        return gdb.command("-break-watch -r " + GdbMi.quoted(expression)).text("hw-rwpt.number");
    }

    /** Removes all breakpoints and watchpoints. */
    public void deleteBreakpoints() {
        gdb.console("delete");
    }

    /** Continues, starting the guest first when it is native and not yet running. */
    public MiStop forward() {
        if (!started) {
            started = true;
            return gdb.resume("-exec-run");
        }
        return gdb.resume("-exec-continue");
    }

    /** Goes back to the stop before. */
    public MiStop reverse() {
        return gdb.resume("-exec-continue --reverse");
    }

    /** One of step, next, finish, step-instruction, next-instruction. */
    public MiStop move(String what) {
        return gdb.resume("-exec-" + what);
    }

    /** One of step, next, finish, step-instruction, next-instruction, backwards. */
    public MiStop moveBack(String what) {
        return gdb.resume("-exec-" + what + " --reverse");
    }

    /** Continues to a marked line by a breakpoint that is there only for that. */
    public MiStop runTo(String mark) {
        gdb.command("-break-insert -t " + place(mark));
        return forward();
    }

    /** Continues until the guest's end or the recording's. */
    public MiStop runToEnd() {
        deleteBreakpoints();
        return forward();
    }

    /** What the replayed program has printed so far, and the server itself. */
    public String printed() {
        return server.printed();
    }

    /** The value of an expression. */
    public String evaluate(String expression) {
        return gdb.evaluate(expression);
    }

    /** The value of an integer expression. */
    public long integer(String expression) {
        return Long.parseLong(gdb.evaluate("(long) (" + expression + ")"));
    }

    /** The functions of the stack's frames, innermost first. */
    public List<String> backtrace() {
        List<String> functions = new ArrayList<>();
        for (MiValue frame : gdb.command("-stack-list-frames").list("stack")) {
            functions.add(frame.text("func"));
        }
        return functions;
    }

    /** The number of threads that GDB knows. */
    public int threads() {
        return gdb.command("-thread-info").list("threads").size();
    }

    @Override
    public void close() {
        gdb.close();
        if (server != null) {
            server.close();
        }
        if (data != null) {
            Folders.delete(data);
        }
    }

    /** A marked line of a guest; of another program, a function. */
    private String place(String mark) {
        return guest == null ? mark : guest.source() + ":" + guest.line(mark);
    }

    private static String lastWord(String text) {
        java.util.regex.Matcher matcher =
                java.util.regex.Pattern.compile("atchpoint (\\d+)").matcher(text);
        return matcher.find() ? matcher.group(1) : "";
    }
}
