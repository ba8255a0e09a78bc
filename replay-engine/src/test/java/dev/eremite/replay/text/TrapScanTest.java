package dev.eremite.replay.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found in large real binaries, against what objdump sees. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TrapScanTest {
    private static final Pattern TRAPPED =
            Pattern.compile("^ *([0-9a-f]+):\t[^\t]*\t(rdtscp?|cpuid|rdrand|rdseed)\\b.*");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/lib64/ld-linux-x86-64.so.2",
                "/lib/x86_64-linux-gnu/libc.so.6",
                "/lib/x86_64-linux-gnu/libcrypto.so.3",
                "/lib/x86_64-linux-gnu/libstdc++.so.6",
                "/lib/x86_64-linux-gnu/libgcc_s.so.1",
                "/usr/bin/python3",
                "/usr/bin/perl",
                "/bin/bash"
            })
    void shouldFindWhatObjdumpSees(String name) throws IOException, InterruptedException {
        Path file = Path.of(name);
        assumeTrue(Files.exists(file), name + " is not installed here");
        compare(file.toRealPath());
    }

    @Test
    void shouldFindInstructionsByUnwindTablesOrSymbols() throws IOException, InterruptedException {
        Path program = compile("int main(void) { return (int) __builtin_ia32_rdtsc() == 0x31'0f; }", "-O1");
        assertThat(compare(program)).isNotEmpty();
        assertThat(compare(strip(program, "--strip-all"))).isNotEmpty();
        assertThat(compare(strip(program, "--remove-section=.eh_frame", "--remove-section=.eh_frame_hdr")))
                .isNotEmpty();
    }

    @Test
    void shouldSayWhenNothingTells() throws IOException, InterruptedException {
        Path program = compile("int main(void) { return (int) __builtin_ia32_rdtsc(); }", "-O1");
        Path bare = strip(program, "--strip-all", "--remove-section=.eh_frame", "--remove-section=.eh_frame_hdr");
        TrapScan.Text text = TrapScan.scan(bare, 0, Files.size(bare));
        assertThat(text.places()).isEmpty();
        assertThat(text.clockUndecided()).isTrue();
    }

    @Test
    void shouldNotTakeOperandsForInstructions() throws IOException, InterruptedException {
        Path program = compile("int main(void) { volatile int x = 0xa20f310f; return x == 0x310f; }", "-O1");
        TrapScan.Text text = TrapScan.scan(program, 0, Files.size(program));
        assertThat(text).isEqualTo(new TrapScan.Text(text.places(), false));
        assertThat(text.places()).isEmpty();
    }

    @Test
    void shouldSayWhenFileIsNoProgram() throws IOException {
        Path file = Files.write(folder.resolve("text"), new byte[] {0x0f, 0x31, 0x0f, (byte) 0xa2});
        TrapScan.Text text = TrapScan.scan(file, 0, 1 << 20);
        assertThat(text.places()).isEmpty();
        assertThat(text.clockUndecided()).isTrue();
    }

    private Path compile(String source, String option) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("program.c"), source.replace("'", ""));
        Path program = folder.resolve("program");
        run("gcc", option, "-o", program.toString(), file.toString());
        return program;
    }

    private Path strip(Path program, String... options) throws IOException, InterruptedException {
        Path result = folder.resolve("stripped" + options.length + options[0]);
        String[] command = new String[options.length + 3];
        command[0] = "objcopy";
        System.arraycopy(options, 0, command, 1, options.length);
        command[options.length + 1] = program.toString();
        command[options.length + 2] = result.toString();
        run(command);
        return result;
    }

    /** Whether objdump comes from or goes on into bytes that are no instruction: it has disassembled a table of constants. */
    private static boolean isTable(List<String> around) {
        return around.stream().anyMatch(line -> line.contains("(bad)") || line.contains(".byte"));
    }

    private static void run(String... command) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    /** Compares, and returns the addresses. */
    private static TreeSet<Long> compare(Path file) throws IOException, InterruptedException {
        TreeSet<Long> expected = new TreeSet<>();
        Process objdump = new ProcessBuilder("objdump", "-d", "-w", file.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> lines = new ArrayList<>();
        try (BufferedReader output = objdump.inputReader()) {
            output.lines().forEach(lines::add);
        }
        for (int i = 0; i < lines.size(); i++) {
            Matcher found = TRAPPED.matcher(lines.get(i));
            if (found.matches() && !isTable(lines.subList(Math.max(i - 40, 0), Math.min(i + 40, lines.size())))) {
                expected.add(Long.parseUnsignedLong(found.group(1), 16));
            }
        }
        assertThat(objdump.waitFor()).isZero();
        TrapScan.Text text = TrapScan.scan(file, 0, Files.size(file));
        TreeSet<Long> actual = new TreeSet<>();
        try (var channel = java.nio.channels.FileChannel.open(file)) {
            ElfFile elf = new ElfFile(channel);
            for (long place : text.places()) {
                // A prefix comes before the opcode's first byte.
                long address = elf.address(place);
                actual.add(expected.contains(address) ? address : address - 1);
            }
        }
        assertThat(actual).isEqualTo(expected);
        assertThat(text.clockUndecided()).isFalse();
        return actual;
    }
}
