package dev.eremite.replay.session;

import dev.eremite.replay.session.ReplaySession.Arrival;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.Tracee.Resume;
import dev.eremite.tracer.linux.WaitStatus;
import dev.eremite.tracer.x86.Instruction;
import dev.eremite.tracer.x86.InstructionDecoder;

/**
 * Executes a repeated string instruction (Intel SDM volume 2, "REP") as a whole. The processor can be stopped between two of
 * its rounds, by single steps, by interrupts and by watchpoints; but no breakpoint and no probe finds such a place again, and
 * a megabyte that is copied has a million of them. So nothing ever stays there.
 */
public final class RepeatedString {
    /** Processors that handle many bytes at a time report a watchpoint up to so many bytes late. */
    private static final int LATE_BYTES = 64;

    private static final int DEBUG_STATUS = 6;
    private static final int DEBUG_CONTROL = 7;
    private static final int DEBUG_REGISTERS = 4;
    private static final int SIGTRAP = 5;
    private static final byte INT3 = (byte) 0xcc;
    private static final long DIRECTION_FLAG = 1 << 10;

    private RepeatedString() {}

    /** The repeated string instruction that a stopped task is about to execute or has executed in part; null for another. */
    static Instruction at(Tracee tracee) {
        long pc = tracee.register(Reg.RIP);
        byte[] code = tracee.memory().read(pc, InstructionDecoder.MAX_LENGTH);
        return at(code, pc);
    }

    /**
     * The repeated string instruction at the beginning of some code, or null.
     *
     * @param code up to 15 bytes
     */
    static Instruction at(byte[] code, long pc) {
        return mayRepeat(code)
                        && InstructionDecoder.decode(code, 0, pc) instanceof Instruction instruction
                        && instruction.repeatsString()
                ? instruction
                : null;
    }

    /** Whether there is a repeat prefix among the prefixes; most code is told from strings by that alone. */
    private static boolean mayRepeat(byte[] code) {
        for (byte prefix : code) {
            switch (prefix & 0xff) {
                case 0xf2, 0xf3 -> {
                    return true;
                }
                case 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67 -> {
                    // another prefix may follow
                }
                default -> {
                    return false;
                }
            }
        }
        return false;
    }

    /** Whether the next task of a session stands before or within such an instruction. */
    public static boolean isNext(ReplaySession session) {
        return at(session.nextTask().tracee()) != null;
    }

    /**
     * Executes what is left of the instruction at which the session's next task stands, which has not arrived at an event.
     * What watchpoints in debug registers report on the way is in the debug status register afterwards.
     *
     * @return TRAP behind it, EVENT where it faults
     */
    public static Arrival finish(ReplaySession session) {
        ReplayTask task = session.nextTask();
        return finish(session, task, at(task.tracee()));
    }

    static Arrival finish(ReplaySession session, ReplayTask task, Instruction string) {
        Tracee tracee = task.tracee();
        long control = tracee.debugRegister(DEBUG_CONTROL);
        long status = tracee.debugRegister(DEBUG_STATUS);
        int free = 0;
        while (free < DEBUG_REGISTERS && (control >> 2 * free & 3) != 0) {
            free++;
        }
        byte replaced = 0;
        if (free < DEBUG_REGISTERS) {
            tracee.setDebugRegister(free, string.nextAddress());
            tracee.setDebugRegister(DEBUG_CONTROL, control & ~(0xfL << 16 + 4 * free) | 1L << 2 * free);
        } else {
            replaced = exchange(tracee, string.nextAddress(), INT3);
        }
        Arrival arrival = null;
        while (arrival == null) {
            tracee.resume(Resume.EMULATE, 0);
            WaitStatus stop = session.tracer().waitFor(tracee);
            // Null where the stop is another round's, or means nothing to the recording: it goes on then.
            arrival = stop.signalStop() && stop.signal() == SIGTRAP
                    ? trapped(tracee, string)
                    : session.afterStop(task, stop, Resume.EMULATE);
            status |= tracee.debugRegister(DEBUG_STATUS);
            tracee.setDebugRegister(DEBUG_STATUS, 0);
        }
        if (free < DEBUG_REGISTERS) {
            tracee.setDebugRegister(DEBUG_CONTROL, control);
        } else {
            exchange(tracee, string.nextAddress(), replaced);
        }
        long ofWatches = (1L << DEBUG_REGISTERS) - 1 & ~(1L << free);
        tracee.setDebugRegister(DEBUG_STATUS, status & ofWatches);
        return arrival;
    }

    private static byte exchange(Tracee tracee, long address, byte now) {
        byte before = tracee.memory().read(address, 1)[0];
        tracee.memory().write(address, new byte[] {now});
        return before;
    }

    private static Arrival trapped(Tracee tracee, Instruction string) {
        long pc = tracee.register(Reg.RIP);
        if (pc == string.nextAddress() + 1) {
            tracee.setRegister(Reg.RIP, string.nextAddress());
        }
        return pc == string.address() ? null : Arrival.TRAP;
    }

    /**
     * Whether the instruction at which a task stands may have touched some memory in its last rounds, so that a watchpoint
     * there has stopped it in its midst. That the instruction before it did so cannot be excluded.
     *
     * @param length bytes
     */
    public static boolean mayHaveTouched(Tracee tracee, long address, long length) {
        Instruction string = at(tracee);
        if (string == null) {
            return false;
        }
        int kind = string.opcode() & 0xfe;
        boolean source = kind == 0xa4 || kind == 0xa6 || kind == 0xac;
        boolean destination = kind != 0xac;
        return source && isBehind(tracee, Reg.RSI, address, length)
                || destination && isBehind(tracee, Reg.RDI, address, length);
    }

    private static boolean isBehind(Tracee tracee, int register, long address, long length) {
        long next = tracee.register(register);
        boolean down = (tracee.register(Reg.EFLAGS) & DIRECTION_FLAG) != 0;
        long first = down ? next + 1 : next - LATE_BYTES;
        long end = down ? next + LATE_BYTES + Long.BYTES : next;
        return address < end && first < address + length;
    }
}
