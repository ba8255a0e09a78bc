package dev.eremite.cli.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramLookupTest {
    @TempDir
    private Path folder;

    @Test
    void shouldTakeTheFirstExecutableInPath() throws IOException {
        file("first/tool", "rw-r--r--", elf(2, 62));
        file("second/tool", "rwxr-xr-x", elf(2, 62));
        file("third/tool", "rwxr-xr-x", elf(2, 62));
        ProgramLookup lookup = new ProgramLookup(folder, "missing:first:second/:third");
        assertThat(lookup.find("tool")).isEqualTo("second/tool");
        assertThat(lookup.find("third/tool")).isEqualTo("third/tool");
    }

    @Test
    void shouldReadAnEmptyEntryOfPathAsThisFolder() throws IOException {
        file("tool", "rwxr-xr-x", elf(2, 62));
        assertThat(new ProgramLookup(folder, "/nowhere::").find("tool")).isEqualTo("./tool");
    }

    @Test
    void shouldNotFindWhatIsNotThere() {
        fails("tool", ErrorCode.PROGRAM_NOT_FOUND, "tool: command not found");
        fails("./tool", ErrorCode.PROGRAM_NOT_FOUND, "./tool: No such file or directory");
        fails("", ErrorCode.PROGRAM_NOT_FOUND, "command not found");
    }

    @Test
    void shouldRefuseWhatCannotBeExecuted() throws IOException {
        file("plain", "rw-r--r--", elf(2, 62));
        file("text", "rwxr-xr-x", "echo hello\n".getBytes(StandardCharsets.UTF_8));
        file("empty", "rwxr-xr-x", new byte[0]);
        fails("./plain", ErrorCode.PROGRAM_NOT_EXECUTABLE, "Permission denied");
        fails("plain", ErrorCode.PROGRAM_NOT_EXECUTABLE, "Permission denied");
        fails("./text", ErrorCode.PROGRAM_NOT_EXECUTABLE, "Exec format error");
        fails("./empty", ErrorCode.PROGRAM_NOT_EXECUTABLE, "Exec format error");
        fails("/", ErrorCode.PROGRAM_NOT_EXECUTABLE, "Is a directory");
    }

    @Test
    void shouldRefuseOtherMachinesPrograms() throws IOException {
        file("old", "rwxr-xr-x", elf(1, 3));
        file("arm", "rwxr-xr-x", elf(2, 183));
        file("x32", "rwxr-xr-x", elf(1, 62));
        fails("./old", ErrorCode.PROGRAM_NOT_64_BIT, "32-bit x86");
        fails("./arm", ErrorCode.PROGRAM_NOT_64_BIT, "machine 183");
        fails("./x32", ErrorCode.PROGRAM_NOT_64_BIT, "x32");
    }

    @Test
    void shouldFollowScriptsToTheirInterpreter() throws IOException {
        file("interpreter", "rwxr-xr-x", elf(2, 62));
        file("good", "rwxr-xr-x", ("#! " + folder.resolve("interpreter") + " -x y\n").getBytes(StandardCharsets.UTF_8));
        file("lost", "rwxr-xr-x", "#!/nowhere/interpreter\n".getBytes(StandardCharsets.UTF_8));
        file("none", "rwxr-xr-x", "#!\n".getBytes(StandardCharsets.UTF_8));
        file("loop", "rwxr-xr-x", ("#!" + folder.resolve("loop") + "\n").getBytes(StandardCharsets.UTF_8));
        assertThat(new ProgramLookup(folder, ".").find("good")).isEqualTo("./good");
        fails("./lost", ErrorCode.PROGRAM_NOT_FOUND, "its interpreter /nowhere/interpreter does not exist");
        fails("./none", ErrorCode.PROGRAM_NOT_EXECUTABLE, "#! without an interpreter");
        fails("./loop", ErrorCode.PROGRAM_NOT_EXECUTABLE, "Too many levels");
    }

    private void fails(String name, ErrorCode code, String message) {
        assertThatThrownBy(() -> new ProgramLookup(folder, folder.toString()).find(name))
                .isInstanceOfSatisfying(
                        UsageException.class,
                        failure -> assertThat(failure.errorCode()).isEqualTo(code))
                .hasMessageContaining(message);
    }

    private void file(String name, String permissions, byte[] content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    private static byte[] elf(int bits, int machine) {
        byte[] header = Arrays.copyOf(new byte[] {0x7f, 'E', 'L', 'F', (byte) bits, 1, 1}, 64);
        header[18] = (byte) machine;
        return header;
    }
}
