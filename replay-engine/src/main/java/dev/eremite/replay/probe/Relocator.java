package dev.eremite.replay.probe;

import dev.eremite.tracer.x86.Flow;
import dev.eremite.tracer.x86.Instruction;
import dev.eremite.tracer.x86.MemoryOperand;
import dev.eremite.tracer.x86.OpcodeMap;
import java.util.Arrays;
import java.util.Optional;

/** Writes instructions to another place so that they do there what they did at their own. */
final class Relocator {
    private static final int RSP = 4;

    private final StubWriter out;

    Relocator(StubWriter out) {
        this.out = out;
    }

    /** Why an instruction cannot run elsewhere unnoticed, if it cannot; without regard to distances. */
    static Optional<String> objection(Instruction instruction) {
        String objection = switch (instruction.flow()) {
            case SEQUENTIAL -> sequentialObjection(instruction);
            case INDIRECT_JUMP, INDIRECT_CALL -> indirectObjection(instruction);
            case RETURN -> instruction.operandSize() == 2 ? "ret with an operand-size prefix" : null;
            case JUMP, CONDITIONAL_JUMP, COUNTED_JUMP, CALL -> null;
            case FAR_TRANSFER,
                    SYSCALL,
                    INTERRUPT,
                    TIME_STAMP,
                    CPU_IDENTITY,
                    NONDETERMINISTIC,
                    TRANSACTION,
                    UNDEFINED,
                    PRIVILEGED ->
                "%s at 0x%x must run at its own address".formatted(instruction.flow(), instruction.address());
        };
        return Optional.ofNullable(objection);
    }

    private static String sequentialObjection(Instruction instruction) {
        if (instruction.isX87()) {
            return "x87 records the address of its instructions";
        }
        boolean narrow = instruction.isRipRelative()
                && instruction.memory().orElseThrow().addressBits() == 32;
        return narrow ? "eip-relative operand" : null;
    }

    private static String indirectObjection(Instruction instruction) {
        if (instruction.operandSize() == 2) {
            return "indirect branch with an operand-size prefix";
        }
        if (instruction.flow() == Flow.INDIRECT_CALL) {
            boolean throughRsp = instruction.operandRegister() == RSP
                    || instruction.memory().map(MemoryOperand::base).orElse(MemoryOperand.NONE) == RSP;
            if (throughRsp) {
                return "call through rsp";
            }
        }
        return sequentialObjection(instruction);
    }

    /**
     * Appends the copy.
     *
     * @param instruction one without {@link #objection}
     * @param code the original bytes
     * @return why it cannot be done, if it cannot
     */
    Optional<String> relocate(Instruction instruction, byte[] code) {
        out.original(instruction.address());
        try {
            switch (instruction.flow()) {
                case JUMP -> out.jump(instruction.target());
                case CONDITIONAL_JUMP -> conditional(instruction);
                case COUNTED_JUMP -> countedJump(instruction, code);
                case CALL -> {
                    out.pushConstant(instruction.nextAddress());
                    // the push is all a call does before it arrives
                    out.original(instruction.target());
                    out.jump(instruction.target());
                }
                case INDIRECT_CALL -> {
                    out.pushConstant(instruction.nextAddress());
                    byte[] jump = adjusted(instruction, code);
                    int modrmAt = instruction.opcodeOffset() + 1;
                    jump[modrmAt] = (byte) (jump[modrmAt] & ~0x38 | 4 << 3);
                    out.instruction(Long.BYTES, jump);
                }
                default -> out.instruction(adjusted(instruction, code));
            }
        } catch (IllegalArgumentException tooFar) {
            return Optional.of("the stub is too far from what 0x%x refers to".formatted(instruction.address()));
        }
        return Optional.empty();
    }

    private void conditional(Instruction instruction) {
        int opcode = 0x80 | instruction.opcode() & 0x0f;
        long distance = instruction.target() - (out.position() + 6);
        out.instruction(Code.of(0x0f, opcode).int32(distance).bytes());
    }

    /** These have 8-bit displacements only: branch around a jump. */
    private void countedJump(Instruction instruction, byte[] code) {
        byte[] branch = Arrays.copyOf(code, instruction.length());
        branch[instruction.immediateOffset()] = 2;
        out.instruction(branch);
        out.original(instruction.nextAddress());
        out.instruction(Code.of(0xeb, 5).bytes());
        out.original(instruction.target());
        out.jump(instruction.target());
        out.original(instruction.nextAddress());
    }

    private byte[] adjusted(Instruction instruction, byte[] code) {
        byte[] copy = Arrays.copyOf(code, instruction.length());
        if (instruction.isRipRelative()) {
            MemoryOperand memory = instruction.memory().orElseThrow();
            long target = instruction.nextAddress() + memory.displacement();
            byte[] displacement = Code.of()
                    .int32(target - (out.position() + instruction.length()))
                    .bytes();
            System.arraycopy(displacement, 0, copy, instruction.displacementOffset(), 4);
        }
        return copy;
    }

    /** Whether control can reach the code behind an instruction in the stub. */
    static boolean continues(Instruction instruction) {
        return !instruction.flow().endsBlock()
                && instruction.flow() != Flow.CALL
                && instruction.flow() != Flow.INDIRECT_CALL;
    }

    /** Whether bytes are what compilers fill gaps with. */
    static boolean isPadding(Instruction instruction) {
        return instruction.isNop() || instruction.map() == OpcodeMap.ONE_BYTE && instruction.opcode() == 0xcc;
    }
}
