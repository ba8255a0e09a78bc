package dev.eremite.replay.guest;

import dev.eremite.detcore.syscall.CallView;
import dev.eremite.tracer.linux.GuestMemory;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Tracee;
import java.util.Arrays;

/** A system call of a traced task: its number and arguments as captured at entry, its result once known. */
public final class TaskCallView implements CallView {
    private final Tracee tracee;
    private final int number;
    private final long[] arguments;
    private long result;

    /** Captures the call that the task has just entered. */
    public TaskCallView(Tracee tracee) {
        this.tracee = tracee;
        long[] regs = tracee.registersView();
        number = (int) regs[Reg.ORIG_RAX];
        arguments = new long[] {regs[Reg.RDI], regs[Reg.RSI], regs[Reg.RDX], regs[Reg.R10], regs[Reg.R8], regs[Reg.R9]};
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public long arg(int index) {
        return arguments[index];
    }

    /** All six arguments, not to be changed. */
    public long[] arguments() {
        return arguments;
    }

    @Override
    public long result() {
        return result;
    }

    /** Sets the result. */
    public void result(long value) {
        result = value;
    }

    @Override
    public byte[] read(long address, int length) {
        byte[] bytes = memory().read(address, length);
        return bytes.length == length ? bytes : Arrays.copyOf(bytes, length);
    }

    @Override
    public int readInt(long address) {
        return memory().readInt(address);
    }

    @Override
    public long readLong(long address) {
        return memory().readLong(address);
    }

    private GuestMemory memory() {
        return tracee.memory();
    }
}
