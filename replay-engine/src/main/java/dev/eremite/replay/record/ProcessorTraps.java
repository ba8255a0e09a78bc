package dev.eremite.replay.record;

import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.Mapping;
import dev.eremite.replay.event.RegisterValue;
import dev.eremite.replay.guest.CpuidTable;
import dev.eremite.replay.guest.TrappedInstruction;
import dev.eremite.replay.guest.TrappedInstruction.Found;
import dev.eremite.replay.text.TrapScan;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Sys;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.Tracer;
import dev.eremite.tracer.linux.TracerException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes the instructions fault that tell of the processor or the time, and answers them.
 *
 * <p>In mapped files their opcodes are replaced. The kernel's own means, prctl(2) PR_SET_TSC, is used only for processes
 * that run code from elsewhere (just-in-time compilers): it makes each change between guest and engine write a control
 * register, which costs more than the rest of a stop in a virtual machine.
 */
final class ProcessorTraps {
    private static final int PR_SET_TSC = 26;
    private static final int PR_TSC_ENABLE = 1;
    private static final int PR_TSC_SIGSEGV = 2;
    private static final int PROT_WRITE = 2;
    private static final int PROT_EXEC = 4;
    private static final int CLOCK_MONOTONIC_RAW = 4;
    private static final long CARRY = 1;

    /** OF, SF, ZF, AF and PF, which RDRAND clears. */
    private static final long CLEARED_FLAGS = 0x8d4;

    private final Recorder recorder;
    private final Map<String, TrapScan.Text> texts = new HashMap<>();
    private final Set<Integer> clockTrapped = new HashSet<>();
    private final SecureRandom random = new SecureRandom();

    /** Whether the call that is being recorded has brought code that may hold instructions which have not been replaced. */
    private boolean unknownCode;

    ProcessorTraps(Recorder recorder) {
        this.recorder = recorder;
    }

    /**
     * Replaces opcodes in a mapping that has just been made.
     *
     * @param file where its content can be read; null when it comes from no file, or is shared
     * @param offset of the mapping's first byte in the file
     * @return the mapping with its traps
     */
    Mapping set(Tracee tracee, Mapping mapping, Path file, long offset) {
        if ((mapping.prot() & PROT_EXEC) == 0) {
            return mapping;
        }
        boolean rewritable = (mapping.prot() & PROT_WRITE) != 0;
        if (file == null || rewritable || !(mapping.backing() instanceof Mapping.Backing.Blob blob)) {
            unknownCode = true;
            return mapping;
        }
        TrapScan.Text text = texts.computeIfAbsent(
                mapping.name() + " " + blob.blob() + " " + offset + " " + mapping.length(),
                _ -> lookThrough(blob.blob(), file, offset, mapping.length()));
        unknownCode |= text.clockUndecided();
        long[] places =
                Arrays.stream(text.places()).map(place -> place - offset).toArray();
        long[] traps = TrappedInstruction.replace(tracee.memory(), mapping.start(), places);
        // The file may have changed since it was mapped.
        unknownCode |= traps.length < places.length;
        return new Mapping(
                mapping.start(),
                mapping.length(),
                mapping.prot(),
                mapping.flags(),
                mapping.backing(),
                mapping.name(),
                traps);
    }

    private TrapScan.Text lookThrough(String blob, Path file, long offset, long length) {
        String name = blob + "-" + Long.toHexString(offset) + "-" + Long.toHexString(length);
        String note = recorder.sink().noteOf(name);
        TrapScan.Text known = note == null ? null : TrapScan.Text.ofNote(note);
        if (known != null) {
            return known;
        }
        TrapScan.Text text = TrapScan.scan(file, offset, length);
        recorder.sink().note(name, text.note());
        return text;
    }

    /** Memory whose content was not looked through becomes code. */
    void unknownCode() {
        unknownCode = true;
    }

    /** After the event that brought code: makes the process's clock reads fault if it is needed from here on. */
    void settle(RecordedTask task) {
        if (unknownCode && clockTrapped.add(task.process)) {
            recorder.append(new Event.ClockTrap(task.tid, recorder.binding().stay()));
        }
        unknownCode = false;
    }

    /** Before guest code runs. */
    void beforeRun(RecordedTask task) {
        if (!task.clockTrapped && !clockTrapped.isEmpty() && clockTrapped.contains(task.process)) {
            task.clockTrapped = true;
            trapClock(task.tracee, PR_TSC_SIGSEGV);
        }
    }

    /** The process has a new program, all of whose code is still to be looked through. */
    void forget(RecordedTask task) {
        clockTrapped.remove(task.process);
        if (task.clockTrapped) {
            task.clockTrapped = false;
            trapClock(task.tracee, PR_TSC_ENABLE);
        }
    }

    /** A task has been created, which has the kernel's settings of its parent. */
    void born(RecordedTask parent, RecordedTask child) {
        child.clockTrapped = parent.clockTrapped;
        if (clockTrapped.contains(parent.process)) {
            clockTrapped.add(child.process);
        }
    }

    private static void trapClock(Tracee tracee, int mode) {
        long result = tracee.inject(Sys.PRCTL, PR_SET_TSC, mode);
        if (result < 0) {
            throw new TracerException("prctl(PR_SET_TSC)", (int) -result);
        }
    }

    /**
     * Answers the instruction that a task has faulted at.
     *
     * @return false when it is none of those
     */
    boolean answer(RecordedTask task, int signal) {
        Tracee tracee = task.tracee;
        long rip = tracee.register(Reg.RIP);
        Found found = TrappedInstruction.at(tracee, signal, rip);
        if (found == null) {
            return false;
        }
        List<RegisterValue> results = new ArrayList<>(5);
        switch (found.instruction()) {
            case CPUID -> processor(tracee, recorder.cpuid(), results);
            case RDTSC, RDTSCP -> clock(found.instruction(), results);
            case RDRAND, RDSEED -> random(tracee, found, results);
        }
        results.add(new RegisterValue(Reg.RIP, rip + found.length()));
        recorder.append(new Event.Instruction(
                task.tid, recorder.proof(task), found.instruction().kind(), List.copyOf(results)));
        for (RegisterValue result : results) {
            tracee.setRegister(result.register(), result.value());
        }
        recorder.resumeUser(task, 0);
        return true;
    }

    private static void processor(Tracee tracee, CpuidTable cpuid, List<RegisterValue> results) {
        int[] values = cpuid.lookup((int) tracee.register(Reg.RAX), (int) tracee.register(Reg.RCX));
        int[] registers = {Reg.RAX, Reg.RBX, Reg.RCX, Reg.RDX};
        for (int i = 0; i < registers.length; i++) {
            results.add(new RegisterValue(registers[i], Integer.toUnsignedLong(values[i])));
        }
    }

    private void clock(TrappedInstruction instruction, List<RegisterValue> results) {
        long[] clock = new long[2];
        Tracer tracer = recorder.tracer();
        tracer.clock(CLOCK_MONOTONIC_RAW, clock);
        // One tick is one nanosecond: programs that calibrate find that, and time goes on as they expect.
        long ticks = clock[0] * 1_000_000_000L + clock[1];
        results.add(new RegisterValue(Reg.RAX, ticks & 0xffffffffL));
        results.add(new RegisterValue(Reg.RDX, ticks >>> 32));
        if (instruction == TrappedInstruction.RDTSCP) {
            results.add(new RegisterValue(Reg.RCX, 0));
        }
    }

    private void random(Tracee tracee, Found found, List<RegisterValue> results) {
        long value = random.nextLong();
        value = switch (found.size()) {
            case 2 -> tracee.register(found.register()) & ~0xffffL | value & 0xffff;
            case 4 -> value & 0xffffffffL;
            default -> value;
        };
        results.add(new RegisterValue(found.register(), value));
        results.add(new RegisterValue(Reg.EFLAGS, tracee.register(Reg.EFLAGS) & ~CLEARED_FLAGS | CARRY));
    }
}
