package dev.eremite.tracer.x86;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.eremite.tracer.linux.Reg;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every instruction of large real binaries: length, branch target and memory operand as objdump sees them. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class DecoderAgainstObjdumpTest {
    private static final Pattern PREFIX_ONLY =
            Pattern.compile("(rex(\\.[WRXB]+)?|data16|addr32|lock|repn?z|rep|[cdefgs]s|notrack|bnd| )+");
    // data in the text section; processors reject REX before VEX, which objdump shows as a stray prefix
    private static final Pattern NO_INSTRUCTION = Pattern.compile("\\(bad\\)|<unknown>|^\\.byte|^rex[.WRXB]* v");
    private static final Pattern BRANCH = Pattern.compile(
            "(?:\\{ev?ex\\} |bnd |notrack |data16 |rex(?:\\.[WRXB]+)? |[cdefgs]s |repn?z |addr32 |lock )*"
                    + "(j[a-z]+|callq?|loop[a-z]*|xbegin[a-z]*)(?:,p[nt])? +([0-9a-f]+)(?: <.*)?");
    private static final Pattern OPERAND =
            Pattern.compile("(?:%([fg])s:)?(-?0x[0-9a-f]+)?\\((%[a-z0-9]+)?(?:,(%[a-z0-9]+))?(?:,([1248]))?\\)");
    private static final Pattern RIP_TARGET = Pattern.compile("\\(%[er]ip\\).*# ([0-9a-f]+)(?: <.*)?$");
    private static final List<String> REGISTERS = List.of(
            "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
            "r15");

    private final List<String> mismatches = new ArrayList<>();
    private int compared;
    private int operands;
    private int branches;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/lib/x86_64-linux-gnu/libc.so.6",
                "/lib/x86_64-linux-gnu/libcrypto.so.3",
                "/lib/x86_64-linux-gnu/libstdc++.so.6",
                "/lib/x86_64-linux-gnu/libm.so.6",
                "/lib64/ld-linux-x86-64.so.2",
                "/usr/bin/python3",
                "/bin/bash"
            })
    void shouldAgreeOnEveryInstruction(String file) throws IOException, InterruptedException {
        assumeTrue(Files.exists(Path.of(file)), file + " is not installed here");
        assumeTrue(Files.exists(Path.of("/usr/bin/objdump")), "objdump is not installed here");
        disassemble(file);
        assertThat(mismatches).as("%d of %d", mismatches.size(), compared).isEmpty();
        assertThat(compared).isGreaterThan(10_000);
        assertThat(branches).isGreaterThan(1000);
    }

    /** Displacements that EVEX compresses, for all its tuple types. */
    @Test
    void shouldAgreeOnCompressedDisplacements(@TempDir Path folder) throws IOException, InterruptedException {
        assumeTrue(Files.exists(Path.of("/usr/bin/as")), "the assembler is not installed here");
        Path source = folder.resolve("evex.s");
        Path object = folder.resolve("evex.o");
        try (var text = DecoderAgainstObjdumpTest.class.getResourceAsStream("evex.s")) {
            Files.copy(text, source);
        }
        Process as = new ProcessBuilder("as", "-o", object.toString(), source.toString())
                .inheritIO()
                .start();
        assertThat(as.waitFor()).isZero();
        disassemble(object.toString());
        assertThat(mismatches).as("%d of %d", mismatches.size(), compared).isEmpty();
        assertThat(operands).isGreaterThan(100);
    }

    private void disassemble(String file) throws IOException, InterruptedException {
        Process objdump = new ProcessBuilder("objdump", "-d", "-w", file)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader lines = objdump.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] columns = line.split("\t", 3);
                if (columns.length == 3) {
                    compare(line, columns);
                }
            }
        }
        assertThat(objdump.waitFor()).isZero();
    }

    private void compare(String line, String[] columns) {
        String text = columns[2].strip();
        if (NO_INSTRUCTION.matcher(text).find() || PREFIX_ONLY.matcher(text).matches()) {
            return;
        }
        byte[] bytes = HexFormat.of().parseHex(columns[1].replace(" ", ""));
        long address = Long.parseUnsignedLong(columns[0].strip().replace(":", ""), 16);
        int skip = bytes.length > 1 && bytes[0] == (byte) 0x9b ? 1 : 0;
        byte[] padded = new byte[32];
        System.arraycopy(bytes, skip, padded, 0, bytes.length - skip);
        switch (InstructionDecoder.decode(padded, 0, address + skip)) {
            case Decoded.NotDecodable(String reason) -> {
                if (!reason.startsWith("operand-size")) {
                    mismatch(line, reason);
                }
            }
            case Instruction instruction -> {
                compared++;
                if (instruction.length() != bytes.length - skip) {
                    mismatch(line, "length " + instruction.length());
                    return;
                }
                compareBranch(line, text, instruction);
                compareOperand(line, text, instruction);
            }
        }
    }

    private void compareBranch(String line, String text, Instruction instruction) {
        Matcher branch = BRANCH.matcher(text);
        boolean found = branch.matches();
        boolean transaction = instruction.flow() == Flow.TRANSACTION && instruction.opcode() == 0xc7;
        if (found != (instruction.flow().isRelative() || transaction)) {
            mismatch(line, "flow " + instruction.flow());
        } else if (found) {
            branches++;
            if (instruction.target() != Long.parseUnsignedLong(branch.group(2), 16)) {
                mismatch(line, "target %x".formatted(instruction.target()));
            }
        }
    }

    private void compareOperand(String line, String text, Instruction instruction) {
        Matcher rip = RIP_TARGET.matcher(text);
        if (rip.find()) {
            operands++;
            long[] registers = new long[Reg.COUNT];
            long expected = Long.parseUnsignedLong(rip.group(1), 16);
            // objdump does not cut the sum to 32 bits where the address-size prefix does
            boolean narrow = instruction.memory().orElseThrow().addressBits() == 32;
            if (instruction.effectiveAddress(registers).orElse(-1) != (narrow ? expected & 0xffff_ffffL : expected)) {
                mismatch(line, "operand " + instruction.memory());
            }
            return;
        }
        Matcher operand = OPERAND.matcher(text);
        // string instructions show their implicit operands
        if (instruction.modrm() < 0 || instruction.modrm() >= 0xc0 || !operand.find()) {
            return;
        }
        operands++;
        MemoryOperand memory = instruction.memory().orElseThrow();
        if (!memory.exact()) {
            return;
        }
        if (memory.base() != register(operand.group(3)) || memory.index() != register(operand.group(4))) {
            mismatch(line, "registers " + memory);
        }
        if (operand.group(5) != null
                && operand.group(4) != null
                && !operand.group(4).endsWith("iz")
                && memory.scale() != Integer.parseInt(operand.group(5))) {
            mismatch(line, "scale " + memory);
        }
        long displacement = operand.group(2) == null ? 0 : displacement(operand.group(2));
        if (memory.displacement() != displacement
                && !(memory.addressBits() == 32 && (int) memory.displacement() == (int) displacement)) {
            mismatch(line, "displacement " + memory);
        }
        String segment = operand.group(1) == null ? "NONE" : operand.group(1).toUpperCase() + "S";
        if (!memory.segment().name().equals(segment)) {
            mismatch(line, "segment " + memory);
        }
    }

    private static long displacement(String text) {
        return text.startsWith("-")
                ? -Long.parseUnsignedLong(text.substring(3), 16)
                : Long.parseUnsignedLong(text.substring(2), 16);
    }

    private static int register(String name) {
        if (name == null || name.endsWith("iz")) {
            return MemoryOperand.NONE;
        }
        String bare = name.substring(1);
        if (bare.startsWith("e")) {
            bare = "r" + bare.substring(1);
        } else if (bare.endsWith("d")) {
            bare = bare.substring(0, bare.length() - 1);
        }
        return REGISTERS.indexOf(bare);
    }

    private void mismatch(String line, String got) {
        if (mismatches.size() < 40) {
            mismatches.add(line + "   <- " + got);
        }
    }
}
