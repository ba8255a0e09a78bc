package dev.eremite.tests.commandline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.CommandResult;
import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.command.Folders;
import dev.eremite.tests.command.RecordReplay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Options of {@code record} and {@code replay}: results for programs, statistics, time-outs, places, progress. */
class RecordAndReplayOptionsTest {
    private static final Pattern STOPS = Pattern.compile("(?m)^eremite: +([\\d,]+) for +([\\d,]+) (\\w+)$");

    private Path data;
    private EremiteCommand eremite;

    @BeforeEach
    void makeDataFolder() {
        data = RecordReplay.newDataFolder("options");
        eremite = new EremiteCommand(data);
    }

    @AfterEach
    void deleteDataFolder() {
        Folders.delete(data);
    }

    @Test
    void shouldWriteTheResultForPrograms() throws IOException {
        Path file = data.resolve("result.json");
        CommandResult recorded =
                eremite.run("record", "--json", file.toString(), "--", "/bin/sh", "-c", "echo hello; exit 3");
        assertThat(recorded.status()).isEqualTo(3);
        assertThat(recorded.errors()).isEmpty();
        String id = eremite.run("record", "list")
                .output()
                .lines()
                .skip(1)
                .findFirst()
                .orElseThrow()
                .split(" ")[0];
        assertThat(Files.readString(file))
                .startsWith("{")
                .endsWith("}\n")
                .contains("\"id\" : \"" + id + "\"")
                .contains("\"directory\" : \"" + data.resolve("recordings").resolve(id) + "\"")
                .contains("\"state\" : \"complete\"", "\"status\" : 3", "\"signal\" : 0", "\"timedOut\" : false")
                .containsPattern("\"events\" : [1-9]\\d*,")
                .containsPattern("\"durationMs\" : [1-9]\\d*,")
                .containsPattern("\"log\" : [1-9]\\d*,")
                .containsPattern("\"write\" : \\{\\s+\"times\" : 1,\\s+\"stops\" : 2\\s+}");

        CommandResult failed = eremite.run("record", "--json", file.toString(), "--", "/nowhere/program");
        assertThat(failed.status()).isEqualTo(127);
        assertThat(Files.readString(file)).contains("\"status\" : 127", "\"code\" : \"E101\"", "\"message\" : ");

        CommandResult refused = eremite.run("record", "--json", "/nowhere/file", "--", "/bin/true");
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.errors()).contains("cannot write /nowhere/file");
    }

    @Test
    void shouldTellWhatRecordingCost() {
        CommandResult recorded =
                eremite.run("record", "--stats", "--", "/bin/dd", "if=/dev/zero", "of=/dev/null", "count=500");
        assertThat(recorded.status()).as(recorded.errors()).isZero();
        assertThat(recorded.errors())
                .containsPattern("\\d+ events, [\\d,]+ stops, [\\d,]+ bytes of log, \\d+\\.\\d+ s")
                .containsPattern("\\d+\\.\\d+ s of it waiting for the program")
                .containsPattern("[1-9]\\d* for +[1-9]\\d* trapped instructions and faults")
                .containsPattern("processor time: program \\d+\\.\\d+ s, kernel for it \\d+\\.\\d+ s, engine ");
        Matcher stops = STOPS.matcher(recorded.errors());
        boolean read = false;
        while (stops.find()) {
            long count = number(stops.group(1));
            long times = number(stops.group(2));
            assertThat(count).as(stops.group()).isGreaterThanOrEqualTo(times);
            if (stops.group(3).equals("read")) {
                read = true;
                assertThat(times).isBetween(500L, 520L);
                assertThat(count).isEqualTo(2 * times);
            }
        }
        assertThat(read).as(recorded.errors()).isTrue();
    }

    private static long number(String digits) {
        return Long.parseLong(digits.replace(",", ""));
    }

    @Test
    void shouldKeepTheRecordingOfAProgramThatRanTooLong() throws IOException {
        Path file = data.resolve("result.json");
        CommandResult late = eremite.run(
                "record",
                "--record-timeout",
                "0.4",
                "--json",
                file.toString(),
                "--",
                "/bin/sh",
                "-c",
                "echo begun; sleep 60 & while :; do :; done");
        assertThat(late.status()).as(late.errors()).isEqualTo(124);
        assertThat(late.errors()).contains("the program was ended after 0.4 s (E108)");
        assertThat(Files.readString(file)).contains("\"timedOut\" : true", "\"status\" : 124", "\"signal\" : 9");
        CommandResult replayed = eremite.replay("latest");
        assertThat(replayed.output()).isEqualTo("begun\n");
        assertThat(replayed.status()).isEqualTo(128 + 9);
        assertThat(eremite.run("record", "show").output()).contains("state       complete");
    }

    @Test
    void shouldReplayUntilAnEvent() {
        assertThat(eremite.record(List.of("/bin/sh", "-c", "echo one; echo two; exit 5"))
                        .status())
                .isEqualTo(5);
        List<String> events = eremite.run("record", "dump").output().lines().toList();
        int one = indexOf(events, "; to stdout");
        CommandResult stopped = eremite.run("replay", "--autopilot", "--until", String.valueOf(one));
        assertThat(stopped.status()).isZero();
        assertThat(stopped.output()).isEqualTo("one\n");
        assertThat(stopped.errors().lines())
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .startsWith("eremite: stopped after event " + one + " of 0 to " + (events.size() - 1) + ": ")
                        .contains(events.get(one).substring(events.get(one).indexOf(' ') + 1))
                        .containsPattern("; at 0x[0-9a-f]+$"));
        CommandResult end = eremite.run("replay", "--autopilot", "-q", "--until", String.valueOf(events.size() - 1));
        assertThat(end.output()).isEqualTo("one\ntwo\n");
        assertThat(end.status()).isZero();
        assertThat(end.errors()).isEmpty();

        CommandResult missing = eremite.run("replay", "--autopilot", "--until", "99999");
        assertThat(missing.status()).isEqualTo(2);
        assertThat(missing.output()).isEmpty();
        assertThat(missing.errors()).contains("there is no event 99999");
        assertThat(eremite.run("replay", "--gdbserver", "--until", "3").status())
                .isEqualTo(2);
    }

    private static int indexOf(List<String> lines, String part) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains(part)) {
                return i;
            }
        }
        throw new AssertionError("no line has \"" + part + "\"");
    }

    @Test
    void shouldShowProgressToWhoeverWatches() {
        String copies = "echo begun; dd if=/dev/zero of=/dev/null bs=1 count=150000 2>/dev/null; echo ended";
        assertThat(eremite.record(List.of("/bin/sh", "-c", copies)).status()).isZero();
        assertThat(seen("").output())
                .startsWith("begun\r\n")
                .containsPattern("\r\u001b\\[Keremite: replayed [\\d,]+ of [\\d,]+ events \\(\\d+ %\\)")
                .endsWith("\r\u001b[Kended\r\n");
        assertThat(seen("-q").output()).isEqualTo("begun\r\nended\r\n");
        assertThat(eremite.run("replay", "--autopilot").errors()).isEmpty();
    }

    /** A replay in a terminal. */
    private CommandResult seen(String option) {
        String line = "'" + EremiteCommand.launcher() + "' replay --autopilot " + option;
        CommandResult result = new Command(List.of("script", "-qec", line, "/dev/null"))
                .with("EREMITE_DATA_DIR", data.toString())
                .run();
        assertThat(result.status()).as(result.output()).isZero();
        return result;
    }

    @Test
    void shouldTakeGdbOptionsSeriously() {
        assertThat(eremite.record(List.of("/bin/true")).status()).isZero();
        CommandResult missing = eremite.run("replay", "--gdb", "/nowhere/gdb");
        assertThat(missing.status()).isEqualTo(125);
        assertThat(missing.errors()).contains("/nowhere/gdb cannot be started (E107)");
        assertThat(eremite.run("replay", "--gdb", "no-such-gdb").status()).isEqualTo(125);
        assertThat(eremite.run("replay", "--autopilot", "--gdb", "gdb").status())
                .isEqualTo(2);
        assertThat(eremite.run("replay", "--autopilot", "--gdbserver-port", "0").status())
                .isEqualTo(2);
        assertThat(eremite.run("replay").status()).isZero();
    }

    /** A gdb that is busy does not hear of SIGTERM. */
    @Test
    void shouldLeaveNoGdbBehindWhenTerminated() throws IOException, InterruptedException {
        assertThat(eremite.record(List.of("/bin/true")).status()).isZero();
        Path started = data.resolve("started");
        Path gdb = Files.writeString(
                data.resolve("gdb"),
                "#!/bin/sh\ntrap '' TERM HUP INT\n: > " + started + "\nwhile :; do sleep 0.1; done\n");
        assertThat(gdb.toFile().setExecutable(true)).isTrue();
        Process replay = eremite.command(List.of("replay", "--gdb", gdb.toString()))
                .reading(new byte[1])
                .start(data.resolve("stdout"), data.resolve("stderr"));
        try {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (!Files.exists(started) && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            assertThat(started).exists();
            replay.destroy();
            assertThat(replay.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(LeftoverProcesses.of(data)).isEmpty();
        } finally {
            Command.endTree(replay);
        }
    }

    @Test
    void shouldBeginAsStraceDoes() {
        CommandResult traced = eremite.run("strace", "--", "/bin/echo", "word");
        assertThat(traced.errors().lines().findFirst().orElse(""))
                .containsPattern(
                        "^\\[\\d+] execve\\(\"/bin/echo\", \\[\"/bin/echo\", \"word\"], 0x[0-9a-f]+ /\\* \\d+ vars \\*/\\) += 0$");
    }
}
