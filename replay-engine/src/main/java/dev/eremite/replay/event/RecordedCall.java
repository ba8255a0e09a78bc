package dev.eremite.replay.event;

import dev.eremite.detcore.syscall.CallView;
import dev.eremite.tracer.linux.Reg;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A system call as a recording tells it: of the guest's memory it has what the kernel wrote.
 *
 * @param number the call's number
 * @param args the six argument registers at entry
 * @param result rax after the call
 * @param writes the memory that is known
 */
@SuppressWarnings("ArrayRecordComponent") // A view, which nobody compares.
public record RecordedCall(int number, long[] args, long result, List<MemoryWrite> writes) implements CallView {
    /** The entry of the auxiliary vector with the address of the program's path as execve(2) had it; see getauxval(3). */
    private static final long AT_EXECFN = 31;

    /**
     * The execve(2) that led to a program image. The image has its own copy of what the call was given: path, arguments
     * and environment lie on the new stack. Of a script, they are its interpreter's.
     */
    public static RecordedCall ofExec(int number, Effect.ExecImage image) {
        RecordedCall memory = new RecordedCall(number, new long[6], 0, image.contents());
        long stack = image.registers()[Reg.RSP];
        long argv = stack + Long.BYTES;
        long environment = argv + (memory.readLong(stack) + 1) * Long.BYTES;
        long[] args = {executedPath(image), argv, environment, 0, 0, 0};
        return new RecordedCall(number, args, 0, image.contents());
    }

    /** The same execve(2) with these arguments, whatever the program got instead of them. */
    public RecordedCall withArguments(List<byte[]> argv) {
        // Any place that is not in use on the stack will do.
        ByteBuffer pointers =
                ByteBuffer.allocate((argv.size() + 1) * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        List<MemoryWrite> memory = new ArrayList<>(writes);
        long text = Integer.MAX_VALUE;
        for (byte[] argument : argv) {
            pointers.putLong(text);
            memory.add(new MemoryWrite(text, Arrays.copyOf(argument, argument.length + 1)));
            text += argument.length + 1;
        }
        memory.add(new MemoryWrite(text, pointers.array()));
        long[] changed = args.clone();
        changed[1] = text;
        return new RecordedCall(number, changed, result, memory);
    }

    private static long executedPath(Effect.ExecImage image) {
        ByteBuffer vector = ByteBuffer.wrap(image.auxv()).order(ByteOrder.LITTLE_ENDIAN);
        while (vector.remaining() >= 2 * Long.BYTES) {
            long type = vector.getLong();
            long value = vector.getLong();
            if (type == AT_EXECFN) {
                return value;
            }
        }
        return 0;
    }

    @Override
    public long arg(int index) {
        return args[index];
    }

    @Override
    public boolean knows(long address, long length) {
        return length == 0
                || writes.stream()
                        .anyMatch(write -> address >= write.address()
                                && address + length <= write.address() + write.bytes().length);
    }

    @Override
    public byte[] read(long address, int length) {
        byte[] bytes = new byte[length];
        for (MemoryWrite write : writes) {
            long from = Math.max(address, write.address());
            long to = Math.min(address + length, write.address() + write.bytes().length);
            if (from < to) {
                System.arraycopy(write.bytes(), (int) (from - write.address()), bytes, (int) (from - address), (int)
                        (to - from));
            }
        }
        return bytes;
    }

    @Override
    public int readInt(long address) {
        return ByteBuffer.wrap(read(address, Integer.BYTES))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getInt();
    }

    @Override
    public long readLong(long address) {
        return ByteBuffer.wrap(read(address, Long.BYTES))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getLong();
    }
}
