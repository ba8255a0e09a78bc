package dev.eremite.replay.record;

import dev.eremite.replay.guest.LandmarkState;
import dev.eremite.replay.probe.Observation;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.Tracee.Resume;
import dev.eremite.tracer.linux.WaitStatus;
import dev.eremite.tracer.x86.Instruction;
import dev.eremite.tracer.x86.InstructionDecoder;
import dev.eremite.tracer.x86.MemoryReferences;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Steps a task through its code, instruction by instruction, without letting anything happen: it stops before system calls
 * and trapping instructions, and holds back signals. A repeated string instruction counts as one step, because replay can
 * only come to its beginning.
 */
final class CodeStepper {
    /** How a step ended. */
    enum Step {
        /** One instruction further. */
        DONE,
        /** The next instruction makes an event by itself, or nobody knows what it does. */
        BOUNDARY,
        /** Something else stopped the task; see {@link #stop}. */
        STOPPED
    }

    private static final int SIGTRAP = 5;
    private static final int TRAP_TRACE = 2;
    private static final int TRAP_HWBKPT = 4;
    private static final long TRACER_FLAGS = 0x1_0100L;
    private static final long TRAP_FLAG = 0x100;
    private static final int PUSHF = 0x9c;

    /** Debug register 7: breakpoint 0 on, for execution. */
    private static final long EXECUTE_0 = 1;

    private final RecordedTask task;
    private final Tracee tracee;
    private final SignalRecorder signals;
    private final Map<Long, Instruction> decoded = new HashMap<>();
    private WaitStatus stop;

    CodeStepper(RecordedTask task, SignalRecorder signals) {
        this.task = task;
        tracee = task.tracee;
        this.signals = signals;
    }

    /** The stop that ended the last step in another way. */
    WaitStatus stop() {
        return stop;
    }

    /** The registers as the guest sees them. */
    long[] registers() {
        long[] registers = tracee.registers();
        registers[Reg.EFLAGS] &= ~TRACER_FLAGS;
        return registers;
    }

    /**
     * Steps once.
     *
     * @param seen takes what is seen before the step; null when nobody is interested
     */
    Step step(List<Observation> seen) {
        long[] before = registers();
        Instruction instruction = at(before[Reg.RIP]);
        if (instruction == null || !isPlain(instruction)) {
            return Step.BOUNDARY;
        }
        boolean repeats = instruction.repeatsString();
        if (seen != null) {
            Observation observation =
                    Observation.of(before, instruction, address -> LandmarkState.word(tracee, address));
            seen.add(repeats ? unbounded(observation) : observation);
        }
        Step step = repeats ? runOver(instruction) : single(before);
        if (step != Step.DONE) {
            if (seen != null) {
                seen.removeLast();
            }
            return step;
        }
        boolean pushesFlags = instruction.opcode() == PUSHF && !instruction.vector();
        if (pushesFlags) {
            long rsp = tracee.register(Reg.RSP);
            tracee.memory().writeLong(rsp, tracee.memory().readLong(rsp) & ~TRAP_FLAG);
        }
        return Step.DONE;
    }

    /** The instruction at an address, or null when it cannot be decoded. */
    Instruction at(long address) {
        return decoded.computeIfAbsent(address, a -> {
            byte[] code = tracee.memory().read(a, InstructionDecoder.MAX_LENGTH);
            return InstructionDecoder.decode(code, 0, a) instanceof Instruction instruction ? instruction : null;
        });
    }

    private static boolean isPlain(Instruction instruction) {
        return switch (instruction.flow()) {
            case SEQUENTIAL,
                    JUMP,
                    CONDITIONAL_JUMP,
                    COUNTED_JUMP,
                    CALL,
                    INDIRECT_JUMP,
                    INDIRECT_CALL,
                    RETURN,
                    NONDETERMINISTIC -> true;
            case FAR_TRANSFER, SYSCALL, INTERRUPT, TIME_STAMP, CPU_IDENTITY, TRANSACTION, UNDEFINED, PRIVILEGED ->
                false;
        };
    }

    /** What a whole repeated string instruction touches cannot be told from its first round. */
    private static Observation unbounded(Observation observation) {
        boolean stores = observation.references().references().stream().anyMatch(MemoryReferences.Reference::stores);
        return new Observation(
                observation.registers(),
                observation.words(),
                new MemoryReferences(observation.references().references(), false, !stores));
    }

    private Step single(long[] before) {
        while (true) {
            tracee.resume(Resume.STEP, 0);
            Step step = await(TRAP_TRACE);
            if (step != null) {
                return step;
            }
            if (!Arrays.equals(before, registers())) {
                // A signal whose stop came after the step took its place.
                return Step.DONE;
            }
        }
    }

    private Step runOver(Instruction instruction) {
        tracee.setDebugRegister(0, instruction.nextAddress());
        tracee.setDebugRegister(7, EXECUTE_0);
        Step step = null;
        while (step == null) {
            tracee.resume(Resume.CONTINUE, 0);
            step = await(TRAP_HWBKPT);
        }
        if (tracee.isStopped()) {
            tracee.setDebugRegister(7, 0);
        }
        return step;
    }

    /** Waits for the stop after a step; null when a signal came, which is held back. */
    private Step await(int expected) {
        stop = tracee.tracer().waitFor(tracee);
        if (!stop.signalStop()) {
            return Step.STOPPED;
        }
        byte[] siginfo = tracee.siginfo();
        int code = ByteBuffer.wrap(siginfo).order(ByteOrder.LITTLE_ENDIAN).getInt(8);
        if (stop.signal() == SIGTRAP && code == expected) {
            return Step.DONE;
        }
        return signals.holdBack(task, stop) ? null : Step.STOPPED;
    }
}
