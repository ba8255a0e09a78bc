package dev.eremite.replay.timeline;

import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.session.ReplayTask;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Tracee;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Names a point inside a segment by the state of its task: all registers, and the stack around its pointer. Two rounds of a
 * loop that agree in all that are told apart by the words that the code there uses.
 *
 * @param registers user_regs_struct, without the call number, which depends on how the task was stopped
 * @param stack a hash of the memory around the stack pointer
 * @param words addresses of words that are compared too
 * @param values what they hold at the point
 */
record Inside(long[] registers, int stack, long[] words, long[] values) {
    private static final int BELOW = 128;
    private static final int ABOVE = 1024;
    private static final long TRAP_AND_RESUME_FLAGS = 0x10100;

    /** Names the point where the session's next task stands. */
    static Inside of(ReplaySession session, long[] words) {
        ReplayTask task = session.nextTask();
        Tracee tracee = task.tracee();
        long[] values = new long[words.length];
        for (int i = 0; i < words.length; i++) {
            values[i] = tracee.memory().readLong(words[i]);
        }
        return new Inside(clean(tracee.registers()), stackHash(tracee), words, values);
    }

    private static long[] clean(long[] registers) {
        registers[Reg.ORIG_RAX] = -1;
        registers[Reg.EFLAGS] &= ~TRAP_AND_RESUME_FLAGS;
        return registers;
    }

    private static int stackHash(Tracee tracee) {
        CRC32C crc = new CRC32C();
        crc.update(tracee.memory().read(tracee.register(Reg.RSP) - BELOW, BELOW + ABOVE));
        return (int) crc.getValue();
    }

    long pc() {
        return registers[Reg.RIP];
    }

    /** Whether a stopped task stands at this point. */
    boolean matches(Tracee tracee) {
        if (tracee.register(Reg.RIP) != pc()
                || !Arrays.equals(clean(tracee.registers()), registers)
                || stackHash(tracee) != stack) {
            return false;
        }
        for (int i = 0; i < words.length; i++) {
            if (tracee.memory().readLong(words[i]) != values[i]) {
                return false;
            }
        }
        return true;
    }
}
