package dev.eremite.replay.probe;

import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.x86.Instruction;
import dev.eremite.tracer.x86.MemoryReferences;
import java.util.HashMap;
import java.util.Map;

/**
 * What was seen before one single step.
 *
 * @param registers user_regs_struct
 * @param words the aligned 8-byte words that the step is about to touch, with their values; words that cannot be read
 *     are left out
 * @param references which memory the step touches
 */
public record Observation(long[] registers, Map<Long, Long> words, MemoryReferences references) {
    /**
     * Looks at a stopped task.
     *
     * @param registers user_regs_struct
     * @param instruction the instruction at rip
     * @param memory the task's memory
     */
    public static Observation of(long[] registers, Instruction instruction, ProbeCondition.Words memory) {
        MemoryReferences references = MemoryReferences.of(instruction, registers);
        Map<Long, Long> words = new HashMap<>();
        for (long address : references.words()) {
            memory.at(address).ifPresent(value -> words.put(address, value));
        }
        return new Observation(registers.clone(), Map.copyOf(words), references);
    }

    /** The instruction pointer. */
    public long pc() {
        return registers[Reg.RIP];
    }
}
