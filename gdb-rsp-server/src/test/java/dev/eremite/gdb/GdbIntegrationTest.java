package dev.eremite.gdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real GDB against the server. Needs gdb and gcc; fails without them. */
@Timeout(120)
class GdbIntegrationTest {
    @TempDir
    static Path directory;

    private static TinyProgram program;

    private final ExecutorService targetThread = Executors.newSingleThreadExecutor();
    private TraceTarget target;
    private GdbServer server;

    @BeforeAll
    static void build() throws Exception {
        program = TinyProgram.build(directory);
    }

    @BeforeEach
    void serve() throws IOException {
        target = new TraceTarget(program);
        server = GdbServer.start(target, targetThread, 0);
    }

    @AfterEach
    void stop() throws InterruptedException {
        server.close();
        targetThread.shutdown();
        assertThat(targetThread.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }

    private String gdb(String... commands) throws Exception {
        return Gdb.run(server.port(), commands);
    }

    @Test
    void shouldLoadTheProgramFromTheRecordingAndShowIt() throws Exception {
        String output = gdb("info threads", "info registers rip rbx ymm0 k0 pkru fctrl", "x/3i _start");
        assertThat(output)
                .contains("Thread 1001.1001 \"main\"", "Thread 1001.1002 \"second <&>\"", "_start ()", "tiny.S:4")
                .contains("mov    $0x5,%rbx", "fctrl          0x37f");
        assertThat(output).doesNotContain("Error", "error", "internal");
    }

    @Test
    void shouldGoForwardsAndBackwardsBetweenBreakpoints() throws Exception {
        String output = gdb(
                "break work",
                "continue",
                "print $rbx",
                "continue",
                "print $rbx",
                "reverse-continue",
                "print $rbx",
                "delete",
                "reverse-continue",
                "print $rip == _start",
                "continue",
                "continue");
        assertThat(output).contains("Breakpoint 1, work ()");
        assertThat(output).containsSubsequence("$1 = 5", "$2 = 4", "$3 = 5", "No more reverse-execution history");
        assertThat(output).containsSubsequence("$4 = 1", "SIGUSR1", "No more reverse-execution history");
        assertThat(output).doesNotContain("exited");
    }

    @Test
    void shouldStepByInstructionsAndLinesInBothDirections() throws Exception {
        String output = gdb(
                "stepi",
                "stepi",
                "print $rip == (long)&work",
                "reverse-stepi",
                "reverse-stepi",
                "print $rip == _start",
                "next",
                "next",
                "info line",
                "reverse-next",
                "print $rbx",
                "step",
                "finish",
                "print $rbx",
                "reverse-step");
        assertThat(output).containsSubsequence("$1 = 1", "$2 = 1", "Line 7", "$3 = 5");
        assertThat(target.calls).anyMatch(call -> call.contains("rangeEnd") && !call.contains("rangeEnd=0"));
    }

    @Test
    void shouldFindTheWriterWithAWatchpointInReverse() throws Exception {
        String output = gdb(
                "break finish",
                "continue",
                "watch *(long*)&counter",
                "reverse-continue",
                "print $rbx",
                "x/i $pc",
                "delete",
                "rwatch *(long*)&shared",
                "continue",
                "awatch *(long*)&shared",
                "continue");
        assertThat(output)
                .containsSubsequence("Old value = 15", "New value = 14", "$1 = 1", "Hardware read watchpoint 3");
        assertThat(output).contains("Hardware access (read/write) watchpoint 4");
    }

    @Test
    void shouldEvaluateConditionsInTheServer() throws Exception {
        // GDB does not compile the address of a symbol without a type, so the condition has it as a number.
        String condition = "break work if $rbx == 2 && *(long*)" + program.address("counter") + " > 0";
        String output = gdb(condition, "continue", "print $rbx", "print *(long*)&counter");
        assertThat(output).containsSubsequence("$1 = 2", "$2 = 12");
        assertThat(target.calls).hasSize(1);
    }

    @Test
    void shouldStepTheThreadThatIsSelected() throws Exception {
        String output = gdb(
                "thread 2", "stepi", "print (long)$rip - (long)&other", "reverse-stepi", "print $rip == (long)&other");
        assertThat(output).containsSubsequence("$1 = 7", "$2 = 1");
    }

    @Test
    void shouldRestartAndPassSignals() throws Exception {
        String output = gdb(
                "handle SIGUSR1 nostop noprint pass",
                "continue",
                "starti",
                "print $rip == _start",
                "info signals SIGUSR1");
        assertThat(output).containsSubsequence("No more reverse-execution history", "$1 = 1");
        assertThat(output).doesNotContain("received signal");
    }

    @Test
    void shouldShowSignalInformationMappingsAndEngineCommands() throws Exception {
        String output = gdb(
                "continue",
                "print $_siginfo.si_signo",
                "monitor where",
                "monitor fail",
                "info proc mappings",
                "find /g &counter, +16, 15",
                "compare-sections .text");
        assertThat(output).contains("SIGUSR1", "$1 = 10", "position ", "/bin/tiny", "1 pattern found", "matched");
    }

    @Test
    void shouldServeTheNextClientAtTheSamePosition() throws Exception {
        gdb("break work", "continue", "continue", "detach");
        assertThat(gdb("print $rbx", "kill")).contains("$1 = 4");
        assertThat(gdb("print $rbx")).contains("$1 = 4");
        assertThat(target.breakpoints).isEmpty();
    }

    @Test
    void shouldStopAtOnceOnControlC() throws Exception {
        target.slow = true;
        for (String movement : new String[] {"continue", "reverse-continue"}) {
            Process gdb = new ProcessBuilder(Gdb.commandLine(server.port(), movement, "info threads"))
                    .redirectErrorStream(true)
                    .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                    .start();
            assertThat(target.moving.await(60, TimeUnit.SECONDS)).isTrue();
            target.moving = new CountDownLatch(1);
            TinyProgram.run("kill", "-INT", String.valueOf(gdb.pid()));
            String output = new String(gdb.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(output).contains("received signal SIGINT", "Thread 1001.1002");
        }
    }

    @Test
    void shouldCatchSystemCalls() throws Exception {
        // The program's only call has the sum as its number: 15.
        assertThat(gdb("handle SIGUSR1 nostop noprint", "catch syscall rt_sigreturn", "continue", "print $rax"))
                .contains("Catchpoint 1 (call to syscall rt_sigreturn)", "$1 = 15");
        assertThat(gdb("handle SIGUSR1 nostop noprint", "reverse-continue", "catch syscall write", "continue"))
                .contains("No more reverse-execution history")
                .doesNotContain("Catchpoint 1 (call");
    }

    @Test
    void shouldCallAFunctionOfTheProgram() throws Exception {
        String output = gdb(
                "break finish",
                "continue",
                "print $rip",
                "print ((long(*)(void))work)()",
                "print $rip",
                "print $rbx = 27",
                "print ((long(*)(void))work)()");
        assertThat(output).containsSubsequence("<finish>", "$2 = 15", "<finish>", "$4 = 27", "$5 = 42");
    }
}
