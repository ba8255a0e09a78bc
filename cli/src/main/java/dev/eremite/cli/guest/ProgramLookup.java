package dev.eremite.cli.guest;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Finds a program as a shell does and looks whether it can be executed and recorded, so that the user gets a clear word
 * instead of a failing execve. See execve(2), environ(7) and the Shell Command Language of POSIX, 2.9.1.4.
 */
public final class ProgramLookup {
    private static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";
    private static final int HEADER = 256;
    private static final int SCRIPT_DEPTH = 5; // BINPRM's limit of nested interpreters
    private static final int SET_USER_ID = 04000;
    private static final int SET_GROUP_ID = 02000;
    private static final int GROUP_EXECUTE = 010;

    private final Path workdir;
    private final String path;

    /**
     * @param workdir the guest's working directory, absolute
     * @param path the guest's PATH, or null if it has none
     */
    public ProgramLookup(Path workdir, String path) {
        this.workdir = workdir;
        this.path = path == null ? DEFAULT_PATH : path;
    }

    /**
     * The file that {@code name} means: itself if it has a slash, else the first executable of that name in PATH.
     *
     * @return the path as it goes to execve, relative ones as they are
     * @throws UsageException E101 not found, E102 not executable, E103 not for x86-64, E104 set-user-ID
     */
    public String find(String name) {
        String found = name.indexOf('/') >= 0 ? name : inPath(name);
        if (name.isEmpty() || found == null) {
            throw new UsageException(
                    ErrorCode.PROGRAM_NOT_FOUND, (name.isEmpty() ? "\"\"" : name) + ": command not found");
        }
        check(found, found, 0);
        return found;
    }

    private String inPath(String name) {
        String denied = null;
        for (String folder : path.split(":", -1)) {
            String candidate =
                    folder.isEmpty() ? "./" + name : folder.endsWith("/") ? folder + name : folder + "/" + name;
            Path file = resolve(candidate);
            if (Files.isRegularFile(file)) {
                if (Files.isExecutable(file)) {
                    return candidate;
                }
                denied = denied == null ? candidate : denied;
            }
        }
        return denied;
    }

    private Path resolve(String file) {
        try {
            return workdir.resolve(file);
        } catch (InvalidPathException e) {
            throw new UsageException(ErrorCode.PROGRAM_NOT_FOUND, file + ": not a possible file name", e);
        }
    }

    private void check(String file, String program, int depth) {
        Path resolved = resolve(file);
        if (!Files.exists(resolved)) {
            String message = depth == 0 ? "No such file or directory" : "its interpreter " + file + " does not exist";
            throw new UsageException(ErrorCode.PROGRAM_NOT_FOUND, program + ": " + message);
        }
        if (Files.isDirectory(resolved)) {
            throw notExecutable(program, "Is a directory");
        }
        if (!Files.isRegularFile(resolved) || !Files.isExecutable(resolved)) {
            throw notExecutable(
                    program, depth == 0 ? "Permission denied" : "its interpreter " + file + " is not executable");
        }
        byte[] header = header(resolved, program);
        if (ElfHeader.matches(header)) {
            checkElf(resolved, header, program);
        } else if (header.length > 2 && header[0] == '#' && header[1] == '!') {
            if (depth == SCRIPT_DEPTH) {
                throw notExecutable(program, "Too many levels of interpreters");
            }
            check(interpreter(header, program), program, depth + 1);
        } else {
            throw notExecutable(program, "Exec format error (neither an ELF file nor a script with #!)");
        }
    }

    private static void checkElf(Path file, byte[] header, String program) {
        if (!ElfHeader.isX8664(header)) {
            throw new UsageException(
                    ErrorCode.PROGRAM_NOT_64_BIT,
                    program + ": not a 64-bit x86 program (" + ElfHeader.kind(header) + ")");
        }
        try {
            int mode = (int) Files.getAttribute(file, "unix:mode");
            boolean otherUser = (mode & SET_USER_ID) != 0
                    && !attribute(file, "uid").equals(attribute(Path.of("/proc/self"), "uid"));
            boolean otherGroup = (mode & (SET_GROUP_ID | GROUP_EXECUTE)) == (SET_GROUP_ID | GROUP_EXECUTE)
                    && !attribute(file, "gid").equals(attribute(Path.of("/proc/self"), "gid"));
            if (otherUser || otherGroup) {
                throw new UsageException(
                        ErrorCode.PROGRAM_SETUID,
                        program + ": is set-" + (otherUser ? "user" : "group") + "-ID and cannot be traced");
            }
        } catch (IOException e) {
            throw new UsageException(ErrorCode.PROGRAM_NOT_EXECUTABLE, program + ": " + e.getMessage(), e);
        }
    }

    private static Object attribute(Path file, String name) throws IOException {
        return Files.getAttribute(file, "unix:" + name);
    }

    private static byte[] header(Path file, String program) {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(HEADER);
        } catch (IOException e) {
            // Executable without being readable: the kernel runs it, but hides its memory from us.
            throw new UsageException(
                    ErrorCode.PROGRAM_NOT_EXECUTABLE,
                    program + ": cannot be read, so it cannot be recorded",
                    "make it readable (chmod +r)",
                    e);
        }
    }

    private static String interpreter(byte[] header, String program) {
        String line = new String(header, 2, header.length - 2, ISO_8859_1);
        int end = line.indexOf('\n');
        String[] words = (end < 0 ? line : line.substring(0, end)).strip().split("[ \t]+", 2);
        if (words[0].isEmpty()) {
            throw notExecutable(program, "Exec format error (#! without an interpreter)");
        }
        return words[0];
    }

    private static UsageException notExecutable(String program, String why) {
        return new UsageException(ErrorCode.PROGRAM_NOT_EXECUTABLE, program + ": " + why);
    }
}
