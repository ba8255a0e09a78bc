package dev.eremite.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CommandLineTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path data;

    @Test
    void shouldPrintHelpAndVersion() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString())
                .contains("record", "replay", "strace", "doctor")
                .doesNotContain("aot-training");
        assertThat(run("--version")).isZero();
        assertThat(out.toString()).contains("eremite ");
        for (String verb : new String[] {"record", "replay", "strace", "doctor"}) {
            assertThat(run(verb, "--help")).describedAs(verb).isZero();
        }
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void shouldAnswerBadCommandLinesWithStatusTwo() {
        assertThat(run()).isEqualTo(2);
        assertThat(run("nonsense")).isEqualTo(2);
        assertThat(run("record", "--nonsense", "--", "true")).isEqualTo(2);
        assertThat(run("record")).isEqualTo(2);
        assertThat(run("record", "--record-timeout", "-1", "--", "true")).isEqualTo(2);
        assertThat(run("replay", "--autopilot", "--gdbserver")).isEqualTo(2);
        assertThat(run("replay", "--gdbserver-port", "70000")).isEqualTo(2);
        assertThat(run("record", "-e", "=x", "--", "true")).isEqualTo(2);
        assertThat(err.toString().lines()).allMatch(line -> line.startsWith("eremite: ") || line.startsWith("  "));
        assertThat(err.toString()).contains("(E100)").doesNotContain("\tat ");
    }

    @Test
    void shouldAnswerMissingProgramsAsAShellDoes() {
        assertThat(run("record", "--", "/nowhere/program")).isEqualTo(127);
        assertThat(run("record", "start", "--", "no-such-program")).isEqualTo(127);
        assertThat(run("strace", "--", "/")).isEqualTo(126);
        assertThat(run("record", "--workdir", "/nowhere", "--", "true")).isEqualTo(125);
        assertThat(err.toString()).contains("(E101)", "(E102)", "(E105)").doesNotContain("\tat ");
    }

    @Test
    void shouldTakeWordsAfterTheDashesAsTheProgram() {
        assertThat(run("record", "--", "list")).isEqualTo(127);
        assertThat(run("record", "-q", "--", "start")).isEqualTo(127);
        assertThat(err.toString()).contains("list: command not found", "start: command not found");
    }

    @Test
    void shouldSayWhichRecordingIsMissing() {
        assertThat(run("replay", "--autopilot", "--data-dir", data.toString())).isEqualTo(125);
        assertThat(run("record", "rm", "x", "--data-dir", data.toString())).isEqualTo(125);
        assertThat(run("record", "list", "--data-dir", data.toString())).isZero();
        assertThat(run("record", "list", "--json", "--data-dir", data.toString()))
                .isZero();
        assertThat(err.toString()).contains("(E205)").doesNotContain("\tat ");
        assertThat(out.toString()).isEqualToIgnoringNewLines("[]");
    }

    @Test
    void shouldShowStackTracesOnlyWhenAsked() {
        assertThat(run("--debug", "record", "--", "/nowhere/program")).isEqualTo(127);
        assertThat(err.toString()).contains("\tat ");
    }

    @Test
    void shouldExamineTheMachine() {
        assertThat(run("doctor", "--data-dir", data.toString())).isLessThan(2);
        assertThat(out.toString()).contains("ptrace", "seccomp", "CPUID faulting", "gdb", "data folder");
    }

    private int run(String... args) {
        CommandLine line = Main.commandLine(args);
        line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return line.execute(args);
    }
}
