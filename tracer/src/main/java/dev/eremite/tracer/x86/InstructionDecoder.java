package dev.eremite.tracer.x86;

import dev.eremite.tracer.x86.MemoryOperand.Access;
import dev.eremite.tracer.x86.MemoryOperand.Segment;
import java.util.Optional;

/**
 * Decodes single x86-64 instructions in 64-bit mode: legacy, REX, VEX, EVEX (without APX) and XOP encodings.
 *
 * <p>It finds lengths and relocatable fields of everything that processors define up to AVX-512; it rejects what is
 * undefined in the opcode maps, but does not check every reserved field. Branches with an operand-size prefix are
 * rejected because Intel and AMD disagree about them.
 */
public final class InstructionDecoder {
    /** The longest instruction in bytes. */
    public static final int MAX_LENGTH = 15;

    private final byte[] code;
    private final int start;
    private final int limit;
    private final long address;
    private final Encoding e = new Encoding();
    private int at;
    private int opcodeOffset;
    private int displacementOffset = -1;
    private int displacementSize;
    private int immediateOffset = -1;
    private int immediateSize;
    private int base = MemoryOperand.NONE;
    private int index = MemoryOperand.NONE;
    private int scale = 1;
    private String problem;

    private InstructionDecoder(byte[] code, int start, int limit, long address) {
        this.code = code;
        this.start = start;
        this.limit = limit;
        this.address = address;
        this.at = start;
    }

    /**
     * Decodes one instruction.
     *
     * @param code bytes of code
     * @param offset where the instruction starts in them
     * @param limit where the bytes end, at most {@code code.length}
     * @param address the guest address of the instruction
     * @return the instruction, or why there is none; never throws for an offset from 0 to limit
     */
    public static Decoded decode(byte[] code, int offset, int limit, long address) {
        return new InstructionDecoder(code, offset, Math.min(limit, code.length), address).run();
    }

    /** As {@link #decode(byte[], int, int, long)} with all the bytes from the offset on. */
    public static Decoded decode(byte[] code, int offset, long address) {
        return decode(code, offset, code.length, address);
    }

    private Decoded run() {
        prefixes();
        opcode();
        if (problem == null) {
            fields();
        }
        int length = at - start;
        if (problem == null && length > MAX_LENGTH) {
            problem = "longer than 15 bytes";
        }
        if (problem != null) {
            return new Decoded.NotDecodable(problem);
        }
        Flow flow = FlowTable.of(e);
        boolean relative = flow.isRelative() || flow == Flow.TRANSACTION && e.opcode == 0xc7;
        if (relative && e.operandPrefix && !e.wide) {
            return new Decoded.NotDecodable("operand-size prefix on a near branch differs between vendors");
        }
        long target = relative ? address + length + signed(immediateOffset, immediateSize) : 0;
        return new Instruction(
                address,
                length,
                e.map,
                e.opcode,
                opcodeOffset,
                e.vex || e.evex,
                e.rex,
                e.repeat || e.repeatNot,
                e.lock,
                e.operandSize(),
                e.modrm,
                displacementOffset,
                displacementSize,
                immediateOffset,
                immediateSize,
                memory(),
                flow,
                target);
    }

    private int next() {
        if (at >= limit) {
            problem = "cut off by the end of the bytes";
            at++;
            return 0;
        }
        return code[at++] & 0xff;
    }

    private int peek() {
        return at < limit ? code[at] & 0xff : -1;
    }

    private void prefixes() {
        while (at - start <= MAX_LENGTH) {
            int octet = peek();
            switch (octet) {
                case 0x26, 0x2e, 0x36, 0x3e -> {
                    // ES, CS, SS and DS bases are zero in 64-bit mode
                }
                case 0x64 -> e.segment = Segment.FS;
                case 0x65 -> e.segment = Segment.GS;
                case 0x66 -> e.operandPrefix = true;
                case 0x67 -> e.addressPrefix = true;
                case 0xf0 -> e.lock = true;
                case 0xf2 -> {
                    e.repeatNot = true;
                    e.simdPrefix = 3;
                }
                case 0xf3 -> {
                    e.repeat = true;
                    e.simdPrefix = 2;
                }
                default -> {
                    if ((octet & 0xf0) != 0x40) {
                        return;
                    }
                    e.rex = octet;
                    at++;
                    continue;
                }
            }
            // a REX prefix counts only directly before the opcode
            e.rex = 0;
            at++;
        }
        problem = "longer than 15 bytes";
    }

    private void opcode() {
        if (e.simdPrefix == 0 && e.operandPrefix) {
            e.simdPrefix = 1;
        }
        e.wide = (e.rex & 8) != 0;
        opcodeOffset = at - start;
        int octet = next();
        switch (octet) {
            case 0xc5 -> vex2();
            case 0xc4 -> vex3();
            case 0x62 -> evex();
            case 0x8f -> {
                if ((peek() & 0x18) != 0 && peek() >= 0) {
                    xop();
                } else {
                    e.opcode = octet;
                }
            }
            case 0x0f -> escape();
            default -> e.opcode = octet;
        }
    }

    private void escape() {
        opcodeOffset = at - start;
        int octet = next();
        e.map = OpcodeMap.MAP_0F;
        if (octet == 0x38 || octet == 0x3a) {
            e.map = octet == 0x38 ? OpcodeMap.MAP_0F38 : OpcodeMap.MAP_0F3A;
            opcodeOffset = at - start;
            octet = next();
        }
        e.opcode = octet;
    }

    private void rejectLegacyPrefixes() {
        if (e.operandPrefix || e.repeat || e.repeatNot || e.lock || e.rex != 0) {
            problem = "legacy prefix before VEX, EVEX or XOP";
        }
    }

    private void vex2() {
        rejectLegacyPrefixes();
        int p = next();
        e.rex = (~p >> 7 & 1) << 2;
        e.map = OpcodeMap.MAP_0F;
        vexTail(p, false);
    }

    private void vex3() {
        rejectLegacyPrefixes();
        int p0 = next();
        e.rex = ~p0 >> 5 & 7;
        switch (p0 & 0x1f) {
            case 1 -> e.map = OpcodeMap.MAP_0F;
            case 2 -> e.map = OpcodeMap.MAP_0F38;
            case 3 -> e.map = OpcodeMap.MAP_0F3A;
            default -> problem = "undefined VEX opcode map";
        }
        int p1 = next();
        vexTail(p1, (p1 & 0x80) != 0);
    }

    private void xop() {
        rejectLegacyPrefixes();
        int p0 = next();
        e.rex = ~p0 >> 5 & 7;
        switch (p0 & 0x1f) {
            case 8 -> e.map = OpcodeMap.XOP_8;
            case 9 -> e.map = OpcodeMap.XOP_9;
            case 10 -> e.map = OpcodeMap.XOP_A;
            default -> problem = "undefined XOP opcode map";
        }
        int p1 = next();
        vexTail(p1, (p1 & 0x80) != 0);
    }

    private void vexTail(int p, boolean wide) {
        e.vex = true;
        e.wide = wide;
        e.rex |= wide ? 8 : 0;
        e.vectorBytes = (p & 4) != 0 ? 32 : 16;
        e.simdPrefix = p & 3;
        opcodeOffset = at - start;
        e.opcode = next();
    }

    private void evex() {
        rejectLegacyPrefixes();
        int p0 = next();
        int p1 = next();
        int p2 = next();
        e.evex = true;
        e.rex = ~p0 >> 5 & 7;
        switch (p0 & 0x0f) {
            case 1 -> e.map = OpcodeMap.MAP_0F;
            case 2 -> e.map = OpcodeMap.MAP_0F38;
            case 3 -> e.map = OpcodeMap.MAP_0F3A;
            case 5 -> e.map = OpcodeMap.MAP_5;
            case 6 -> e.map = OpcodeMap.MAP_6;
            default -> problem = "undefined EVEX opcode map";
        }
        if ((p1 & 4) == 0) {
            problem = "undefined EVEX payload";
        }
        e.wide = (p1 & 0x80) != 0;
        e.rex |= e.wide ? 8 : 0;
        e.simdPrefix = p1 & 3;
        e.broadcast = (p2 & 0x10) != 0;
        e.vectorBytes = 16 << (p2 >> 5 & 3);
        opcodeOffset = at - start;
        e.opcode = next();
    }

    private void fields() {
        char shape = e.vex || e.evex ? OpcodeShape.vector(e.map, e.opcode) : OpcodeShape.legacy(e.map, e.opcode);
        switch (shape) {
            case '-' -> {}
            case 'm', 'B', 'Z', 'g' -> modrm();
            case 'o' -> moffs();
            default -> {
                if (shape == 'x' || shape == 'p') {
                    problem = "undefined opcode";
                    return;
                }
            }
        }
        if (problem == null) {
            immediate(immediateBytes(shape));
        }
    }

    private int immediateBytes(char shape) {
        int z = e.operandSize() == 2 ? 2 : 4;
        return switch (shape) {
            case 'b', 'B', 'j' -> 1;
            case 'w' -> 2;
            case 'e' -> 3;
            case 'z', 'Z' -> z;
            case 'J' -> z;
            case 'v' -> e.operandSize();
            case 'g' -> e.reg() < 2 ? e.opcode == 0xf6 ? 1 : z : 0;
            // extrq and insertq of SSE4a have two immediate bytes
            case 'm' -> e.map == OpcodeMap.MAP_0F && e.opcode == 0x78 && !e.evex && (e.simdPrefix & 1) != 0 ? 2 : 0;
            default -> 0;
        };
    }

    private void immediate(int size) {
        if (size == 0) {
            return;
        }
        immediateOffset = at - start;
        immediateSize = size;
        skip(size);
    }

    private void skip(int size) {
        at += size;
        if (at > limit) {
            problem = "cut off by the end of the bytes";
        }
    }

    private void moffs() {
        displacementOffset = at - start;
        displacementSize = e.addressPrefix ? 4 : 8;
        skip(displacementSize);
    }

    private void modrm() {
        e.modrm = next();
        if (problem != null || (problem = groupProblem()) != null) {
            return;
        }
        if (e.evex && e.vectorBytes == 128 && (e.memory() || !e.broadcast)) {
            problem = "undefined EVEX vector length";
            return;
        }
        boolean alwaysRegister = e.map == OpcodeMap.MAP_0F && !e.vex && !e.evex && e.opcode >= 0x20 && e.opcode <= 0x23;
        if (alwaysRegister) {
            // mov to and from control and debug registers ignores the mod field
            e.modrm |= 0xc0;
        }
        if (e.memory()) {
            memoryFields();
        }
    }

    private String groupProblem() {
        if (e.map != OpcodeMap.ONE_BYTE || e.vex || e.evex) {
            return null;
        }
        int reg = e.reg();
        boolean undefined = switch (e.opcode) {
            case 0xc6, 0xc7 -> reg != 0 && e.modrm != 0xf8;
            case 0x8f -> reg != 0;
            case 0xfe -> reg > 1;
            case 0xff -> reg == 7 || (reg == 3 || reg == 5) && !e.memory();
            case 0x8d -> !e.memory();
            default -> false;
        };
        return undefined ? "undefined form of the opcode" : null;
    }

    private void memoryFields() {
        boolean sibNoBase = false;
        if (e.rm() == 4) {
            int sib = next();
            scale = 1 << (sib >> 6);
            int indexField = sib >> 3 & 7 | (e.rexX() ? 8 : 0);
            index = indexField == 4 ? MemoryOperand.NONE : indexField;
            sibNoBase = (sib & 7) == 5 && e.mod() == 0;
            base = sibNoBase ? MemoryOperand.NONE : sib & 7 | (e.rexB() ? 8 : 0);
        } else if (e.rm() == 5 && e.mod() == 0) {
            base = MemoryOperand.RIP;
        } else {
            base = e.rm() | (e.rexB() ? 8 : 0);
        }
        displacementSize = e.mod() == 1 ? 1 : e.mod() == 2 || sibNoBase || base == MemoryOperand.RIP ? 4 : 0;
        if (displacementSize != 0) {
            displacementOffset = at - start;
            skip(displacementSize);
        }
    }

    private Optional<MemoryOperand> memory() {
        if (!e.memory()) {
            return e.modrm < 0 && displacementSize != 0 ? Optional.of(moffsOperand()) : Optional.empty();
        }
        boolean exact = !isVectorIndex() && !isBitString();
        long displacement = signed(displacementOffset, displacementSize);
        if (e.evex && displacementSize == 1) {
            int factor = EvexTuple.factor(e);
            exact &= factor != 0;
            displacement *= factor;
        }
        Access access = MemoryAccessTable.access(e);
        int width = exact && access != Access.NONE ? MemoryAccessTable.width(e) : 0;
        int addressBits = e.addressPrefix ? 32 : 64;
        return Optional.of(
                new MemoryOperand(base, index, scale, displacement, e.segment, addressBits, width, access, exact));
    }

    private MemoryOperand moffsOperand() {
        long displacement = displacementSize == 4
                ? signed(displacementOffset, 4) & 0xffff_ffffL
                : signed(displacementOffset, displacementSize);
        Access access = e.opcode >= 0xa2 ? Access.STORE : Access.LOAD;
        int width = (e.opcode & 1) == 0 ? 1 : e.operandSize();
        return new MemoryOperand(
                MemoryOperand.NONE, MemoryOperand.NONE, 1, displacement, e.segment, 64, width, access, true);
    }

    /** Gathers and scatters take their index from a vector register. */
    private boolean isVectorIndex() {
        if (e.map != OpcodeMap.MAP_0F38 || !(e.vex || e.evex)) {
            return false;
        }
        int opcode = e.opcode;
        return opcode >= 0x90 && opcode <= 0x93 || opcode >= 0xa0 && opcode <= 0xa3 || opcode == 0xc6 || opcode == 0xc7;
    }

    /** bt, bts, btr and btc with a register reach beyond the operand's address. */
    private boolean isBitString() {
        if (e.map != OpcodeMap.MAP_0F || e.vex || e.evex) {
            return false;
        }
        return e.opcode == 0xa3 || e.opcode == 0xab || e.opcode == 0xb3 || e.opcode == 0xbb;
    }

    private long signed(int offset, int size) {
        if (size == 0) {
            return 0;
        }
        long value = 0;
        for (int i = size - 1; i >= 0; i--) {
            value = value << 8 | code[start + offset + i] & 0xff;
        }
        int unused = 64 - 8 * size;
        return value << unused >> unused;
    }
}
