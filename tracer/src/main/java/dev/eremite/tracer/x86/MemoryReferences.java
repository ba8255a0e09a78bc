package dev.eremite.tracer.x86;

import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.x86.MemoryOperand.Access;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * All memory that one execution of an instruction touches, implicit operands (stack, strings) included.
 *
 * @param references what is known
 * @param loadsKnown whether these are all the bytes that it may read
 * @param storesKnown whether these are all the bytes that it may write
 */
public record MemoryReferences(List<Reference> references, boolean loadsKnown, boolean storesKnown) {
    /**
     * A stretch of memory.
     *
     * @param address its first byte
     * @param width bytes, at least 1
     * @param stores whether it may be written
     */
    public record Reference(long address, int width, boolean stores) {}

    /**
     * Works out what an instruction is about to touch. A repeated string instruction counts for one element, as single
     * steps run it.
     *
     * @param instruction the instruction at rip
     * @param registers user_regs_struct before it runs
     */
    public static MemoryReferences of(Instruction instruction, long[] registers) {
        List<Reference> references = new ArrayList<>();
        boolean loadsKnown = true;
        boolean storesKnown = true;
        MemoryOperand memory = instruction.memory().orElse(null);
        if (memory != null && memory.access() != Access.NONE) {
            OptionalLong address = instruction.effectiveAddress(registers);
            boolean stores = memory.access() == Access.STORE;
            if (address.isPresent() && memory.width() > 0) {
                references.add(new Reference(address.getAsLong(), memory.width(), stores));
            } else {
                loadsKnown = false;
                storesKnown = !stores;
            }
        }
        if (!instruction.vector()) {
            storesKnown &= addImplicit(instruction, registers, references);
        }
        return new MemoryReferences(List.copyOf(references), loadsKnown, storesKnown);
    }

    /** Adds implicit operands; false if there is one that cannot be named. */
    private static boolean addImplicit(Instruction instruction, long[] registers, List<Reference> references) {
        int opcode = instruction.opcode();
        return switch (instruction.map()) {
            case ONE_BYTE -> oneByte(instruction, registers, references);
            case MAP_0F -> {
                if (opcode == 0xa0 || opcode == 0xa8) {
                    push(registers, references, 8);
                } else if (opcode == 0xa1 || opcode == 0xa9) {
                    references.add(new Reference(registers[Reg.RSP], 8, false));
                }
                // maskmovq and maskmovdqu store to [rdi]
                yield opcode != 0xf7;
            }
            case MAP_0F38, MAP_0F3A, MAP_5, MAP_6, XOP_8, XOP_9, XOP_A -> true;
        };
    }

    private static boolean oneByte(Instruction instruction, long[] registers, List<Reference> references) {
        int opcode = instruction.opcode();
        int width = instruction.operandSize() == 2 ? 2 : 8;
        switch (opcode) {
            case 0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57, 0x68, 0x6a, 0x9c -> push(registers, references, width);
            case 0xe8 -> push(registers, references, 8);
            case 0x58, 0x59, 0x5a, 0x5b, 0x5c, 0x5d, 0x5e, 0x5f, 0x8f, 0x9d, 0xc2, 0xc3 ->
                references.add(new Reference(registers[Reg.RSP], width, false));
            case 0xc9 -> references.add(new Reference(registers[Reg.RBP], 8, false));
            case 0xd7 -> references.add(new Reference(registers[Reg.RBX] + (registers[Reg.RAX] & 0xff), 1, false));
            case 0xff -> {
                int kind = instruction.modrm() >> 3 & 7;
                if (kind == 2 || kind == 6) {
                    push(registers, references, width);
                }
            }
            case 0xc8 -> {
                return false;
            }
            default -> strings(instruction, registers, references);
        }
        return true;
    }

    private static void push(long[] registers, List<Reference> references, int width) {
        references.add(new Reference(registers[Reg.RSP] - width, width, true));
    }

    private static void strings(Instruction instruction, long[] registers, List<Reference> references) {
        int width = (instruction.opcode() & 1) == 0 ? 1 : instruction.operandSize();
        switch (instruction.opcode() & 0xfe) {
            case 0xa4 -> {
                references.add(new Reference(registers[Reg.RSI], width, false));
                references.add(new Reference(registers[Reg.RDI], width, true));
            }
            case 0xa6 -> {
                references.add(new Reference(registers[Reg.RSI], width, false));
                references.add(new Reference(registers[Reg.RDI], width, false));
            }
            case 0xaa -> references.add(new Reference(registers[Reg.RDI], width, true));
            case 0xac -> references.add(new Reference(registers[Reg.RSI], width, false));
            case 0xae -> references.add(new Reference(registers[Reg.RDI], width, false));
            default -> {
                // no string instruction
            }
        }
    }

    /** The addresses of the aligned 8-byte words that the references overlap, in no order, each once. */
    public long[] words() {
        return references.stream()
                .flatMapToLong(r -> LongStream.iterate(r.address() & -8, a -> a < r.address() + r.width(), a -> a + 8))
                .distinct()
                .toArray();
    }
}
