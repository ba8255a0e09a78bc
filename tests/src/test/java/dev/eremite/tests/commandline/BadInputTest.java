package dev.eremite.tests.commandline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.CommandResult;
import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.command.Folders;
import dev.eremite.tests.command.RecordReplay;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What users get wrong, and what their machine does: each time one line that names the cause, one with the cure, the
 * documented status, no stack trace and no process left behind.
 */
@Tag("slow")
class BadInputTest {
    /** The shell scripts below call the launcher {@code $E}; {@code $D} has the files of {@link #prepare}. */
    private static final int ANOTHER_USER = 65534;

    private static final int ELF_HEADER = 64;

    private static Path data;
    private static Path files;

    @BeforeAll
    static void prepare() throws IOException {
        data = RecordReplay.newDataFolder("bad-input");
        EremiteCommand eremite = new EremiteCommand(data);
        for (String word : List.of("one", "two")) {
            assertThat(eremite.record(List.of("/bin/echo", word)).status()).isZero();
        }
        // Other users have to get there.
        files = Files.createTempDirectory("eremite-bad-input-");
        open(files, "rwxr-xr-x");
        Files.createDirectory(files.resolve("folder"));
        Files.createDirectory(files.resolve("xdg"));
        file("text", "no program\n", "rwxr-xr-x");
        file("plain", "no program\n", "rw-r--r--");
        file("orphan", "#!/nowhere/interpreter\n", "rwxr-xr-x");
        file("no-interpreter", "#!\n", "rwxr-xr-x");
        file("cut", "\177ELF", "rwxr-xr-x");
        byte[] elf = new byte[ELF_HEADER];
        System.arraycopy(new byte[] {0x7f, 'E', 'L', 'F', 1, 1, 1}, 0, elf, 0, 7);
        elf[16] = 2;
        elf[18] = 3;
        Files.write(files.resolve("elf32"), elf);
        open(files.resolve("elf32"), "rwxr-xr-x");
        Files.copy(Path.of("/bin/true"), files.resolve("unreadable"));
        open(files.resolve("unreadable"), "--x--x--x");
        Files.write(files.resolve("no-ptrace.py"), NO_PTRACE.getBytes(StandardCharsets.UTF_8));
        Files.write(files.resolve("busy-port.py"), BUSY_PORT.getBytes(StandardCharsets.UTF_8));
        Path future = data.resolve("recordings/20990101-000000-future");
        Files.createDirectory(future);
        Files.writeString(future.resolve("recording.json"), "{\n  \"format\" : 999\n}\n");
    }

    @AfterAll
    static void remove() {
        Folders.delete(files);
        Folders.delete(data);
    }

    private static void file(String name, String text, String permissions) throws IOException {
        Files.writeString(files.resolve(name), text);
        open(files.resolve(name), permissions);
    }

    private static void open(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            $E                                              |   2 | E100 | a verb is missing
            $E recrod -- true                               |   2 | E100 | there is no verb recrod
            $E record                                       |   2 | E100 | a program is missing
            $E record --                                    |   2 | E100 | a program is missing
            $E strace                                       |   2 | E100 | a program is missing
            $E record git checkout -- file                  |   2 | E100 | "git" stands before --
            $E strace ls -- -l                              |   2 | E100 | "ls" stands before --
            $E record --nonsense -- true                    |   2 | E100 | there is no option --nonsense
            $E record --record-timeout -- true              |   2 | E100 | --record-timeout needs
            $E record --record-timeout soon -- true         |   2 | E100 | --record-timeout needs a number, not "soon"
            $E record --record-timeout 0 -- true            |   2 | E100 | --record-timeout needs a positive number
            $E record -e =x -- true                         |   2 | E100 | -e needs NAME or NAME=VALUE
            $E record -e '' -- true                         |   2 | E100 | -e needs NAME or NAME=VALUE
            $E record --json $D/nowhere/file -- true        |   2 | E100 | cannot write
            $E record --json $D/folder -- true              |   2 | E100 | cannot write
            $E record list --data-dir ''                    |   2 | E100 | --data-dir needs a folder
            $E record clean                                 |   2 | E100 | say what is to go
            $E record clean --keep few                      |   2 | E100 | --keep needs a whole number, not "few"
            $E record rm                                    |   2 | E100 | ID is missing
            $E record dump 2 --events 5000..                |   2 | E100 | there is no event 5000
            $E record dump --events x 2                     |   2 | E100 | --events needs A..B
            $E replay one two                               |   2 | E100 | does not take "two"
            $E replay --autopilot --gdbserver               |   2 | E100 | mutually exclusive
            $E replay --gdbserver-port 70000                |   2 | E100 | --gdbserver-port needs a number from 0
            $E replay --gdbserver-port x                    |   2 | E100 | --gdbserver-port needs a whole number
            $E replay --until 3 --gdbserver                 |   2 | E100 | --until needs --autopilot
            $E record -- /nowhere/program                   | 127 | E101 | /nowhere/program: No such file
            $E record -- no-such-program                    | 127 | E101 | no-such-program: command not found
            $E strace -- no-such-program                    | 127 | E101 | no-such-program: command not found
            $E record -e PATH=/nowhere -- true              | 127 | E101 | true: command not found
            $E record -- ''                                 | 127 | E101 | "": command not found
            $E record -- $D/orphan                          | 127 | E101 | interpreter /nowhere/interpreter does not exist
            $E record -- $D/folder                          | 126 | E102 | Is a directory
            $E record -- $D/plain                           | 126 | E102 | Permission denied
            $E record -- /dev/null                          | 126 | E102 | Permission denied
            $E record -- $D/text                            | 126 | E102 | neither an ELF file nor a script
            $E record -- $D/cut                             | 126 | E102 | neither an ELF file nor a script
            $E record -- $D/no-interpreter                  | 126 | E102 | #! without an interpreter
            $E record -- $D/elf32                           | 125 | E103 | not a 64-bit x86 program (32-bit x86)
            $E strace -- $D/elf32                           | 125 | E103 | not a 64-bit x86 program (32-bit x86)
            $E record --workdir /nowhere -- true            | 125 | E105 | cannot work in /nowhere
            $E record --workdir $D/plain -- true            | 125 | E105 | cannot work in
            $E replay --gdb /nowhere/gdb                    | 125 | E107 | /nowhere/gdb cannot be started
            python3 $D/no-ptrace.py $E record -- /bin/true  | 125 | E113 | PTRACE_SEIZE: Operation not permitted
            python3 $D/no-ptrace.py $E strace -- /bin/true  | 125 | E113 | PTRACE_SEIZE: Operation not permitted
            python3 $D/no-ptrace.py $E replay 2 --autopilot | 125 | E113 | PTRACE_SEIZE: Operation not permitted
            python3 $D/busy-port.py $E replay 2 --gdbserver-port | 125 | E114 | in use
            ulimit -f 100; $E record -- /bin/true           | 125 | E201 | File too large
            $E record list > /dev/full                      | 125 | E116 | standard output: No space left on device
            $E record dump 2 > /dev/full                    | 125 | E116 | standard output: No space left on device
            $E replay 2 --autopilot > /dev/full             | 125 | E116 | standard output: No space left on device
            $E --help > /dev/full                           | 125 | E116 | standard output: No space left on device
            $E record show 2 >&-                            | 125 | E116 | standard output: Bad file descriptor
            $E replay 2 --autopilot >&-                     | 125 | E116 | standard output: Bad file descriptor
            $E record --data-dir $D/plain -- true           | 125 | E201 | plain is not a folder
            $E record --data-dir $D/plain/below -- true     | 125 | E201 | Not a directory
            $E record list --data-dir $D/plain              | 125 | E201 | plain is not a folder
            $E replay --data-dir $D/plain                   | 125 | E201 | plain is not a folder
            $E replay $D/folder                             | 125 | E202 | is not a recording
            $E replay future                                | 125 | E204 | has recording format 999
            $E record dump future                           | 125 | E204 | has recording format 999
            $E replay nothing                               | 125 | E205 | is called "nothing"
            $E replay /nowhere/recording                    | 125 | E205 | there is no folder /nowhere/recording
            $E replay --data-dir $D/folder                  | 125 | E205 | there are no recordings in
            $E record rm nothing                            | 125 | E205 | is called "nothing"
            $E record show 20                               | 125 | E206 | may be any of
            """)
    void shouldSayWhatIsWrong(String script, int status, String code, String says) throws IOException {
        // Any recording will do where one is needed: the second one is named by the words "2" and "show 2".
        String second = recordings().get(1);
        check(script.replace(" 2 ", " " + second + " ").replaceAll(" 2$", " " + second), status, code, says);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            $E record -- $D/unreadable                                       | 126 | E102 | cannot be read
            $E record -- /usr/bin/su                                         | 125 | E104 | is set-user-ID and cannot be traced
            $E record --data-dir $D/folder -- /bin/true                      | 125 | E201 | no permission for
            $E record list                                                   | 125 | E201 | no permission for
            env -u EREMITE_DATA_DIR HOME=/nowhere $E record -- /bin/true     | 125 | E201 | no permission for /nowhere
            env -u EREMITE_DATA_DIR XDG_DATA_HOME=/proc $E record -- true    | 125 | E201 | /proc/eremite
            """)
    void shouldSayWhatIsForbidden(String script, int status, String code, String says) throws IOException {
        boolean root = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
        String other = "setpriv --reuid " + ANOTHER_USER + " --regid " + ANOTHER_USER + " --clear-groups ";
        assumeTrue(root, "only root can become another user");
        assumeTrue(shell(other + "test -r $E").status() == 0, "another user can read the launcher");
        check(other + (script.startsWith("env") ? script : "/bin/bash " + script), status, code, says);
    }

    @Test
    void shouldSayThatADataFolderIsReadOnly() throws IOException {
        assumeTrue(shell("unshare -m mount -t tmpfs none /mnt").status() == 0, "file systems can be mounted");
        String mounted =
                "unshare -m /bin/bash -c 'mount -t tmpfs -o ro none $D/folder && $E record --data-dir $D/folder%s -- true'";
        check(mounted.formatted(""), 125, "E201", "Read-only file system");
        check(mounted.formatted("/below"), 125, "E201", "Read-only file system");
    }

    @Test
    void shouldSayThatAProgramIsAnotherUsers() throws IOException {
        Path program = files.resolve("setuid");
        Files.copy(Path.of("/bin/true"), program);
        try {
            Files.setAttribute(program, "unix:uid", ANOTHER_USER);
            Files.setAttribute(program, "unix:mode", 04755);
        } catch (java.nio.file.FileSystemException e) {
            assumeTrue(false, "only root can give a file to another user");
        }
        check("$E record -- $D/setuid", 125, "E104", "is set-user-ID and cannot be traced");
    }

    @Test
    void shouldDoWithoutStandardInputAndHome() throws IOException {
        String second = recordings().get(1);
        CommandResult closed = shell("$E replay " + second + " <&-");
        assertThat(closed.errors()).isEmpty();
        assertThat(closed.output()).isEqualTo("two\n");
        assertThat(shell("$E record -q -- /bin/cat <&-").errors()).contains("Bad file descriptor");
        assertThat(shell("$E record -q -- /bin/echo lost >&-").errors()).contains("write error");
        assertThat(shell("$E replay nothing 2>&-").status()).isEqualTo(125);
        String homeless = "env -u HOME -u EREMITE_DATA_DIR XDG_DATA_HOME=$D/xdg $E ";
        assertThat(shell(homeless + "record -q -- /bin/echo out").output()).isEqualTo("out\n");
        assertThat(shell(homeless + "replay --autopilot").output()).isEqualTo("out\n");
        assertThat(shell("$E record dump " + second + " | head -1; echo ${PIPESTATUS[0]}")
                        .errors())
                .isEmpty();
        assertThat(shell("$E --version >&-; $E record -q -- /bin/echo out").output())
                .isEqualTo("out\n");
    }

    @Test
    void shouldSayThatTheWorkingFolderIsGone() {
        CommandResult gone = shell("mkdir $D/gone; cd $D/gone; rmdir $D/gone; $E record -- /bin/true");
        assertThat(gone.status()).isEqualTo(125);
        // The shell that is the launcher complains too, before it comes to anything.
        assertThat(gone.errors()).contains("eremite: the working directory does not exist any more (E105)\n  ");
    }

    @Test
    void shouldTakeNamesInAnyLocale() throws IOException {
        Path folder = Files.createDirectory(files.resolve("größe"));
        Files.copy(Path.of("/bin/echo"), folder.resolve("écho"));
        String locale = "cd $D/größe; LC_ALL=%s; export LC_ALL; ";
        for (String name : List.of("C", "POSIX", "C.UTF-8", "xx_XX.none")) {
            String with = locale.formatted(name) + "$E ";
            CommandResult recorded = shell(with + "record -q --data-dir ./dâta -- ./écho ünd 2>&1");
            assertThat(recorded.output()).as(name).endsWith("ünd\n");
            assertThat(shell(with + "replay --data-dir $D/größe/dâta --autopilot")
                            .output())
                    .isEqualTo("ünd\n");
            assertThat(shell(with + "record list --data-dir ./dâta").output()).contains("./écho ünd");
            CommandResult seen = shell(with + "record -q -- /bin/sh -c 'echo $LC_ALL'");
            assertThat(seen.output()).isEqualTo(name + "\n");
        }
        CommandResult none = shell("unset LC_ALL; $E record -q -- /usr/bin/env");
        assertThat(none.output()).doesNotContain("LC_ALL");
    }

    private static List<String> recordings() throws IOException {
        try (var folders = Files.list(data.resolve("recordings"))) {
            return folders.map(folder -> folder.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    private static CommandResult shell(String script) {
        return new Command(List.of("/bin/bash", "-c", script))
                .with("EREMITE_DATA_DIR", data.toString())
                .with("E", EremiteCommand.launcher().toString())
                .with("D", files.toString())
                .run();
    }

    private static void check(String script, int status, String code, String says) throws IOException {
        CommandResult result = shell(script);
        String errors = result.errors();
        assertThat(result.status()).as(errors).isEqualTo(status);
        assertThat(result.output()).isEmpty();
        List<String> lines = errors.lines().toList();
        assertThat(lines).as(errors).hasSize(2);
        assertThat(lines.getFirst()).startsWith("eremite: ").contains(says).endsWith(" (" + code + ")");
        assertThat(lines.getLast()).startsWith("  ").hasSizeGreaterThan(10);
        assertThat(LeftoverProcesses.of(data)).isEmpty();
    }

    /** Runs a command that is not allowed to call ptrace(2), as in a container with a strict seccomp filter. */
    private static final String NO_PTRACE = """
            import ctypes, os, struct, sys
            libc = ctypes.CDLL(None, use_errno=True)
            instruction = lambda code, true, false, k: struct.pack("HBBI", code, true, false, k)
            # Load the call's number; answer 101, ptrace, with EPERM.
            program = (instruction(0x20, 0, 0, 0) + instruction(0x15, 0, 1, 101)
                       + instruction(0x06, 0, 0, 0x00050001) + instruction(0x06, 0, 0, 0x7fff0000))
            buffer = ctypes.create_string_buffer(program)
            assert libc.prctl(38, 1, 0, 0, 0) == 0
            assert libc.prctl(22, 2, struct.pack("HxxxxxxQ", 4, ctypes.addressof(buffer)), 0, 0) == 0
            os.execv(sys.argv[1], sys.argv[1:])
            """;

    /** Runs a command with the number of a port behind it that is in use. */
    private static final String BUSY_PORT = """
            import socket, subprocess, sys
            listener = socket.socket()
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            sys.exit(subprocess.call(sys.argv[1:] + [str(listener.getsockname()[1])]))
            """;
}
