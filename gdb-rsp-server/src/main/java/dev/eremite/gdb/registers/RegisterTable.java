package dev.eremite.gdb.registers;

import dev.eremite.gdb.codec.Hex;
import dev.eremite.replay.debug.ThreadRegisters;
import dev.eremite.replay.debug.ThreadRegisters.XsaveLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The registers in the order in which the target description lists them, which is how GDB numbers them. The
 * processor's extensions, as far as the recording has them, come behind what every amd64 processor has.
 */
public final class RegisterTable {
    /** Numbers of the registers that stop replies carry. */
    public static final int RBP = 6;

    /** The stack pointer's number. */
    public static final int RSP = 7;

    /** The program counter's number. */
    public static final int RIP = 16;

    private static final String[] GENERAL = {
        "r15",
        "r14",
        "r13",
        "r12",
        "rbp",
        "rbx",
        "r11",
        "r10",
        "r9",
        "r8",
        "rax",
        "rcx",
        "rdx",
        "rsi",
        "rdi",
        "orig_rax",
        "rip",
        "cs",
        "eflags",
        "rsp",
        "ss",
        "fs_base",
        "gs_base",
        "ds",
        "es",
        "fs",
        "gs"
    };
    private static final int X87 = 0;
    private static final int SSE = 1;
    private static final int AVX = 2;
    private static final int OPMASK = 5;
    private static final int ZMM_HI256 = 6;
    private static final int HI16_ZMM = 7;
    private static final int PKRU = 9;
    private static final int ST_AT = 32;
    private static final int XMM_AT = 160;
    private static final int MXCSR_AT = 24;

    private final List<Register> rows = new ArrayList<>();

    /** The table for a recording whose XSAVE areas look like this. */
    public RegisterTable(XsaveLayout layout) {
        core();
        x87();
        sse();
        general(Feature.LINUX, "orig_rax", 64, "int");
        general(Feature.SEGMENTS, "fs_base", 64, "int");
        general(Feature.SEGMENTS, "gs_base", 64, "int");
        boolean avx = layout.avx() >= 0;
        if (avx) {
            vectors(Feature.AVX, "ymm%dh", 16, 0, "uint128", layout.avx(), 16, AVX);
        }
        if (avx && layout.opmask() >= 0 && layout.zmmHi256() >= 0 && layout.hi16Zmm() >= 0) {
            avx512(layout);
        }
        if (layout.pkru() >= 0) {
            add(Feature.PKEYS, "pkru", 32, "i386_pkru", "", new XsaveStorage(layout.pkru(), 4, PKRU));
        }
    }

    private void core() {
        for (String name : List.of("rax", "rbx", "rcx", "rdx", "rsi", "rdi")) {
            general(Feature.CORE, name, 64, "int64");
        }
        general(Feature.CORE, "rbp", 64, "data_ptr");
        general(Feature.CORE, "rsp", 64, "data_ptr");
        for (int i = 8; i < 16; i++) {
            general(Feature.CORE, "r" + i, 64, "int64");
        }
        general(Feature.CORE, "rip", 64, "code_ptr");
        general(Feature.CORE, "eflags", 32, "i386_eflags");
        for (String name : List.of("cs", "ss", "ds", "es", "fs", "gs")) {
            general(Feature.CORE, name, 32, "int32");
        }
    }

    private void x87() {
        for (int i = 0; i < 8; i++) {
            add(Feature.CORE, "st" + i, 80, "i387_ext", "", new XsaveStorage(ST_AT + 16 * i, 10, X87));
        }
        control("fctrl", new XsaveStorage(0, 2, X87));
        control("fstat", new XsaveStorage(2, 2, X87));
        control("ftag", new TagWordStorage());
        control("fiseg", new XsaveStorage(12, 2, X87));
        control("fioff", new XsaveStorage(8, 4, X87));
        control("foseg", new XsaveStorage(20, 2, X87));
        control("fooff", new XsaveStorage(16, 4, X87));
        control("fop", new XsaveStorage(6, 2, X87));
    }

    private void control(String name, Register.Storage storage) {
        add(Feature.CORE, name, 32, "int", "float", storage);
    }

    private void sse() {
        vectors(Feature.SSE, "xmm%d", 16, 0, "vec128", XMM_AT, 16, SSE);
        add(Feature.SSE, "mxcsr", 32, "i386_mxcsr", "vector", new XsaveStorage(MXCSR_AT, 4, SSE));
    }

    private void avx512(XsaveLayout layout) {
        int high = layout.hi16Zmm();
        vectors(Feature.AVX512, "xmm%d", 16, 16, "vec128", high, 64, HI16_ZMM);
        vectors(Feature.AVX512, "ymm%dh", 16, 16, "uint128", high + 16, 64, HI16_ZMM);
        for (int i = 0; i < 8; i++) {
            add(Feature.AVX512, "k" + i, 64, "uint64", "", new XsaveStorage(layout.opmask() + 8 * i, 8, OPMASK));
        }
        vectors(Feature.AVX512, "zmm%dh", 16, 0, "v2ui128", layout.zmmHi256(), 32, ZMM_HI256);
        vectors(Feature.AVX512, "zmm%dh", 16, 16, "v2ui128", high + 32, 64, HI16_ZMM);
    }

    private void general(Feature feature, String name, int bits, String type) {
        add(
                feature,
                name,
                bits,
                type,
                "",
                new GeneralStorage(Arrays.asList(GENERAL).indexOf(name)));
    }

    private void vectors(
            Feature feature, String name, int count, int first, String type, int at, int stride, int component) {
        int bytes = type.equals("v2ui128") ? 32 : 16;
        for (int i = 0; i < count; i++) {
            XsaveStorage storage = new XsaveStorage(at + stride * i, bytes, component);
            add(feature, name.formatted(first + i), bytes * 8, type, "", storage);
        }
    }

    private void add(Feature feature, String name, int bits, String type, String group, Register.Storage storage) {
        rows.add(new Register(feature, name, bits, type, group, storage));
    }

    /** The place in user_regs_struct of a general-purpose register, by number; −1 if it is none. */
    public int generalPurpose(int number) {
        boolean general = number >= 0 && number < RIP && rows.get(number).storage() instanceof GeneralStorage;
        return general ? ((GeneralStorage) rows.get(number).storage()).index() : -1;
    }

    List<Register> rows() {
        return rows;
    }

    /** How many registers there are; their numbers are 0 to one less. */
    public int count() {
        return rows.size();
    }

    /** The width of a register in bytes. */
    public int bytes(int number) {
        return rows.get(number).bytes();
    }

    /** A register's little-endian bytes, or empty where this state does not hold it. */
    public byte[] read(ThreadRegisters registers, int number) {
        Register row = rows.get(number);
        if (!row.storage().available(registers)) {
            return new byte[0];
        }
        byte[] bytes = new byte[row.bytes()];
        row.storage().read(registers, bytes);
        return bytes;
    }

    /** All registers one after another, as hexadecimal; {@code x} digits for those that the state does not hold. */
    public String readAll(ThreadRegisters registers) {
        StringBuilder text = new StringBuilder();
        for (int number = 0; number < rows.size(); number++) {
            byte[] bytes = read(registers, number);
            text.append(bytes.length == 0 ? "x".repeat(2 * bytes(number)) : Hex.encode(bytes));
        }
        return text.toString();
    }

    /**
     * A copy of the state with one register changed.
     *
     * @param bytes its new value, little-endian, of its width
     * @return the copy; equal to the given state where that does not hold the register
     */
    public ThreadRegisters with(ThreadRegisters registers, int number, byte[] bytes) {
        ThreadRegisters copy = copy(registers);
        Register row = rows.get(number);
        if (row.storage().available(copy)) {
            row.storage().write(copy, bytes);
        }
        return copy;
    }

    /**
     * A copy of the state with all registers set.
     *
     * @param bytes their values one after another, as {@link #readAll} orders them; may end early
     */
    public ThreadRegisters withAll(ThreadRegisters registers, byte[] bytes) {
        ThreadRegisters copy = copy(registers);
        int at = 0;
        for (Register row : rows) {
            if (at + row.bytes() > bytes.length) {
                break;
            }
            if (row.storage().available(copy)) {
                row.storage().write(copy, Arrays.copyOfRange(bytes, at, at + row.bytes()));
            }
            at += row.bytes();
        }
        return copy;
    }

    /** How many bytes all registers have together. */
    public int totalBytes() {
        return rows.stream().mapToInt(Register::bytes).sum();
    }

    private static ThreadRegisters copy(ThreadRegisters registers) {
        return new ThreadRegisters(
                registers.general().clone(), registers.xsave().clone(), registers.layout());
    }
}
