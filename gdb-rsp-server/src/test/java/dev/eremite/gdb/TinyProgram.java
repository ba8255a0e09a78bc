package dev.eremite.gdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A static program of a few instructions that gcc makes from assembly, and its memory image. */
final class TinyProgram {
    /** Line numbers matter to the tests with GDB. */
    static final String SOURCE = """
                .globl _start, work, finish, other, counter, shared
                .text
        _start:
                mov $5, %rbx
        again:
                call work
                dec %rbx
                jnz again
        finish:
                nop
                nop
                syscall
                .type work, @function
        work:
                mov counter(%rip), %rax
                add %rbx, %rax
                mov %rax, counter(%rip)
                ret
                .size work, . - work
                .type other, @function
        other:
                mov shared(%rip), %rcx
                inc %rcx
                mov %rcx, shared(%rip)
                jmp other
                .size other, . - other
                .data
                .type counter, @object
                .size counter, 8
        counter: .quad 0
                .type shared, @object
                .size shared, 8
        shared: .quad 0
        """;

    final Path executable;
    final Map<String, Long> symbols = new TreeMap<>();
    final Map<Long, byte[]> segments = new TreeMap<>();

    private TinyProgram(Path executable) throws IOException, InterruptedException {
        this.executable = executable;
        load(Files.readAllBytes(executable));
        for (String line : run("nm", executable.toString()).split("\n")) {
            String[] parts = line.split(" ");
            symbols.put(parts[2], Long.parseUnsignedLong(parts[0], 16));
        }
    }

    static TinyProgram build(Path directory) throws IOException, InterruptedException {
        Path source = directory.resolve("tiny.S");
        Path executable = directory.resolve("tiny");
        Files.writeString(source, SOURCE);
        run("gcc", "-g", "-nostdlib", "-static", "-no-pie", "-o", executable.toString(), source.toString());
        return new TinyProgram(executable);
    }

    long address(String symbol) {
        return symbols.get(symbol);
    }

    private void load(byte[] file) {
        ByteBuffer elf = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        int headers = (int) elf.getLong(32);
        int count = elf.getShort(56);
        for (int i = 0; i < count; i++) {
            int header = headers + 56 * i;
            boolean loadable = elf.getInt(header) == 1;
            if (loadable) {
                byte[] bytes = new byte[(int) elf.getLong(header + 40)];
                System.arraycopy(file, (int) elf.getLong(header + 8), bytes, 0, (int) elf.getLong(header + 32));
                segments.put(elf.getLong(header + 16), bytes);
            }
        }
    }

    /** Runs a tool to its end and returns what it printed. */
    static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                .start();
        java.util.concurrent.CompletableFuture<byte[]> output =
                java.util.concurrent.CompletableFuture.supplyAsync(() -> {
                    try {
                        return process.getInputStream().readAllBytes();
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                });
        boolean ended = process.waitFor(60, TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly();
        }
        String text = new String(output.join(), StandardCharsets.UTF_8);
        if (!ended || process.exitValue() != 0) {
            throw new IOException(String.join(" ", command) + (ended ? " failed: " : " hung: ") + text);
        }
        return text;
    }
}
