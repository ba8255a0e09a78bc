package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.CommandResult;
import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.command.Folders;
import dev.eremite.tests.command.RecordReplay;
import dev.eremite.tests.guest.Guest;
import dev.eremite.tests.mi.DebugSession;
import dev.eremite.tests.mi.DebugSession.Backend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The engine's own commands, through a real gdb, and the commands for gdb that wrap them. */
@Tag("slow")
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class MonitorTest {
    @TempDir
    private Path folder;

    private static String say(DebugSession session, String command) {
        return session.gdb().console(command);
    }

    private void load(DebugSession session) throws IOException {
        CommandResult printed = new EremiteCommand(folder).run("gdbinit");
        assertThat(printed.status()).isZero();
        Path file = Files.writeString(folder.resolve("gdbinit"), printed.output());
        session.gdb().console("source " + file);
    }

    /** Gdb takes a late answer for that of what it asks next, unless it hears something meanwhile. */
    @Test
    void shouldAnswerCommandsThatTakeLongerThanGdbWaits() {
        try (DebugSession session = DebugSession.open(Backend.REPLAY, "longsegment")) {
            say(session, "set remotetimeout 1");
            long last = number(say(session, "monitor seek END"), "event (\\d+) of");
            assertThat(number(say(session, "monitor when"), "event (\\d+) of")).isEqualTo(last);
            assertThat(number(say(session, "monitor seek START"), "event (\\d+) of"))
                    .isEqualTo(1);
            assertThat(session.backtrace()).startsWith("_start");
        }
    }

    @Test
    void shouldSeekToEventsAndEnds() throws IOException {
        try (DebugSession session = DebugSession.open(Backend.REPLAY, "calls")) {
            load(session);
            long last = number(say(session, "seek END"), "event (\\d+) of");
            assertThat(number(say(session, "when"), "event (\\d+) of")).isEqualTo(last);
            assertThat(session.backtrace()).contains("_start");
            assertThat(number(say(session, "seek -3"), "event (\\d+) of")).isEqualTo(last - 3);
            assertThat(number(say(session, "seek +2"), "event (\\d+) of")).isEqualTo(last - 1);
            assertThat(number(say(session, "seek 20"), "event (\\d+) of")).isEqualTo(20);
            assertThat(say(session, "events 19..21")).contains("=> 20 ");
            assertThat(number(say(session, "seek START"), "event (\\d+) of")).isEqualTo(1);
            assertThat(session.backtrace()).startsWith("_start");
            long end = number(say(session, "seek END"), "of (\\d+)");
            assertThat(say(session, "seek 1000000"))
                    .contains("there is no event 1000000")
                    .contains("from 0 to " + (end - 1) + ", and " + end + " is the end");
            assertThat(say(session, "seek " + (end + 1))).contains("there is no event " + (end + 1));
            assertThat(number(say(session, "seek " + end), "event (\\d+) of")).isEqualTo(last);
            say(session, "seek START");
            assertThat(say(session, "monitor nonsense")).contains("monitor help");
            say(session, "monitor checkpoint");
            assertThat(say(session, "monitor restart")).contains("usage: monitor restart NUMBER|NAME");
            assertThat(say(session, "monitor delete")).contains("usage: monitor delete NUMBER|NAME");
            assertThat(say(session, "monitor checkpoints")).contains("1: event");
            say(session, "seek END");
            assertThat(say(session, "monitor last-write 0xffffffffff600000 4")).contains("no memory to write to");
            say(session, "seek START");
            assertThat(say(session, "monitor help")).contains("last-write ADDR LEN");
            session.runTo("print");
            assertThat(session.integer("sum")).isEqualTo(75);
        }
    }

    @Test
    void shouldGoToMarkedPlacesInsideCode() throws IOException {
        try (DebugSession session = DebugSession.open(Backend.REPLAY, "calls")) {
            load(session);
            session.breakAt("scaled", "a == 2");
            session.forward();
            session.deleteBreakpoints();
            say(session, "mark two");
            session.runTo("print");
            say(session, "mark");
            assertThat(say(session, "marks"))
                    .contains("1: event")
                    .contains("two")
                    .contains("2: event");
            say(session, "seek-mark two");
            assertThat(session.backtrace()).startsWith("scaled", "main");
            assertThat(session.integer("a")).isEqualTo(2);
            say(session, "seek-mark 2");
            assertThat(session.integer("sum")).isEqualTo(75);
            assertThat(say(session, "monitor delete two")).doesNotContain("no checkpoint");
            assertThat(say(session, "seek-mark two")).contains("no checkpoint two");
        }
    }

    @Test
    void shouldGoToWriteOfOutputAndOfVariable() throws IOException {
        try (DebugSession session = DebugSession.open(Backend.REPLAY, "calls")) {
            load(session);
            say(session, "seek-output sum.75");
            assertThat(session.backtrace()).contains("_IO_cleanup", "_IO_new_file_write");
            assertThat(say(session, "monitor output never.printed")).contains("prints no such text");
            assertThat(say(session, "monitor output (")).contains("not a regular expression");
            session.runToEnd();
            say(session, "seek START");
            session.runTo("print");
            say(session, "seek-write sum");
            assertThat(session.integer("i")).isEqualTo(4);
            assertThat(session.integer("sum")).isEqualTo(50);
        }
    }

    @Test
    void shouldShowOtherProcesses() throws IOException {
        Path data = RecordReplay.newDataFolder("monitor-processes");
        EremiteCommand eremite = new EremiteCommand(data);
        List<String> program = List.of("/bin/sh", "-c", "/bin/echo one; /bin/ls / >/dev/null; exit 3");
        assertThat(eremite.record(program).status()).isEqualTo(3);
        CommandResult list =
                eremite.run("replay", "--gdbex", "monitor processes", "--gdbex", "kill", "--gdbex", "quit");
        long ls = number(list.errors(), "(\\d+) from event \\d+, child of \\d+: \\S*/ls\n");
        CommandResult shown = eremite.run(
                "replay",
                "-p",
                Long.toString(ls),
                "--gdbex",
                "break exit",
                "--gdbex",
                "continue",
                "--gdbex",
                "reverse-continue",
                "--gdbex",
                "info inferiors",
                "--gdbex",
                "kill",
                "--gdbex",
                "quit");
        assertThat(shown.output()).contains("process " + ls).contains("bin/ls").contains("Breakpoint 1");
        assertThat(eremite.run("replay", "-p", "1", "--gdbex", "quit").status()).isEqualTo(125);
        Folders.delete(data);
    }

    @Test
    void shouldBeginAtAnEvent() {
        Path data = RecordReplay.newDataFolder("monitor-goto");
        EremiteCommand eremite = new EremiteCommand(data);
        eremite.record(Guest.named("calls").command());
        List<String> words = List.of("monitor when", "continue", "kill", "quit");
        List<String> command = new ArrayList<>(List.of("replay", "--goto", "30"));
        words.forEach(word -> command.addAll(List.of("--gdbex", word)));
        CommandResult result = eremite.run(command.toArray(new String[0]));
        assertThat(result.errors()).contains("event 30 of");
        assertThat(result.output() + result.errors()).contains("the program exits with status 7 here");
        assertThat(eremite.run("replay", "--goto", "99999", "--gdbex", "quit").status())
                .isNotZero();
        assertThat(eremite.run("replay", "--autopilot", "--goto", "3").status()).isEqualTo(2);
        Folders.delete(data);
    }

    private static long number(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as("%s in: %s", pattern, text).isTrue();
        return Long.parseLong(matcher.group(1));
    }
}
