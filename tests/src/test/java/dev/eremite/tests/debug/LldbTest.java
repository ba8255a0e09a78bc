package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.CommandResult;
import dev.eremite.tests.mi.DebugSession;
import dev.eremite.tests.mi.DebugSession.Backend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real LLDB on a replay. */
@Tag("slow")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LldbTest {
    @TempDir
    private Path folder;

    /** What LLDB prints for commands, after it has connected to the replay of a guest. */
    private String lldb(String guest, String... commands) throws IOException {
        try (DebugSession session = DebugSession.open(Backend.REPLAY, guest)) {
            String address = session.address();
            // One debugger at a time.
            session.gdb().close();
            List<String> script = new ArrayList<>();
            script.add("gdb-remote " + address);
            script.addAll(List.of(commands));
            script.add("process detach");
            Path file = Files.write(folder.resolve("script"), script);
            CommandResult result = new Command(List.of(
                            "lldb",
                            "--no-lldbinit",
                            "--no-use-colors",
                            "-b",
                            "-s",
                            file.toString(),
                            session.guest().command().getFirst()))
                    .within(Duration.ofSeconds(90))
                    .run();
            return result.output();
        }
    }

    @Test
    void shouldBreakStepShowAndCall() throws IOException {
        String printed = lldb(
                "calls",
                "breakpoint set -n scaled",
                "continue",
                "continue",
                "continue",
                "continue",
                "frame variable a b",
                "thread backtrace",
                "finish",
                "next",
                "expression sum",
                "expression scaled(20, 22)",
                "expression length(\"hello\")",
                "breakpoint delete 1",
                "watchpoint set variable sum",
                "continue",
                "register read rip",
                "image list");
        assertThat(printed).contains("(int) a = 3", "(int) b = 1", "scaled(a=3, b=1)", "main at calls.c");
        assertThat(printed).contains("stop reason = step out", "Return value: (int) $0 = 20");
        assertThat(printed).contains("(int) $1 = 50", "(int) $2 = 210", "(int) $3 = 5");
        assertThat(printed).contains("stop reason = watchpoint 1", "old value: 50", "new value: 75");
        assertThat(printed).contains("libc.so.6").doesNotContain("error:");
    }

    /** LLDB evaluates conditions itself, in memory of its own, which must not make a copy of the program at each hit. */
    @Test
    void shouldEvaluateConditionsAndKeepVariablesOfItsOwn() throws IOException {
        String printed = lldb(
                "calls",
                "breakpoint set -n scaled -c \"a == 3 && b == 1\"",
                "continue",
                "frame variable a b",
                "expression int $mine = a * 100",
                "finish",
                "expression $mine + scaled(20, 22)",
                "expression length(\"hello\") + $mine");
        assertThat(printed).contains("(int) a = 3", "(int) b = 1", "stop reason = breakpoint 1.1");
        assertThat(printed).containsPattern("\\(int\\) \\$\\d = 510").containsPattern("\\(int\\) \\$\\d = 305");
        assertThat(printed).doesNotContain("error").doesNotContain("changes are gone");
    }

    @Test
    void shouldShowThreads() throws IOException {
        String printed = lldb("threads4", "breakpoint set -n pthread_join", "continue", "thread list");
        assertThat(printed).contains("thread #2", "thread #5").doesNotContain("error:");
    }
}
