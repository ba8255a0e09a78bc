package dev.eremite.detcore.syscall;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A call over a memory that is a map of bytes; what is not in it reads as zero. */
final class FakeCall implements CallView {
    private final int number;
    private final long[] arguments;
    private final Map<Long, Byte> memory = new TreeMap<>();
    private long result;

    FakeCall(int number, long... arguments) {
        this.number = number;
        this.arguments = java.util.Arrays.copyOf(arguments, 6);
    }

    FakeCall returning(long value) {
        result = value;
        return this;
    }

    FakeCall failing(Errno errno) {
        return returning(-errno.number());
    }

    FakeCall put(long address, byte... bytes) {
        for (int i = 0; i < bytes.length; i++) {
            memory.put(address + i, bytes[i]);
        }
        return this;
    }

    FakeCall putInt(long address, int value) {
        return put(
                address,
                ByteBuffer.allocate(4)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(value)
                        .array());
    }

    FakeCall putLong(long address, long value) {
        return put(
                address,
                ByteBuffer.allocate(8)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(value)
                        .array());
    }

    FakeCall putString(long address, String text) {
        return put(address, (text + "\0").getBytes(StandardCharsets.UTF_8));
    }

    /** Its row's outputs as "address+length", empty ranges and null addresses left out as a sink does. */
    List<String> outputs() {
        List<String> ranges = new ArrayList<>();
        SyscallTable.linux().find(number).collectOutputs(this, (address, length) -> {
            if (address != 0 && length > 0) {
                ranges.add("0x" + Long.toHexString(address) + "+" + length);
            }
        });
        return ranges;
    }

    boolean mayBlock() {
        return SyscallTable.linux().find(number).mayBlock().test(this);
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public long arg(int index) {
        return arguments[index];
    }

    @Override
    public long result() {
        return result;
    }

    @Override
    public byte[] read(long address, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = memory.getOrDefault(address + i, (byte) 0);
        }
        return bytes;
    }

    @Override
    public int readInt(long address) {
        return ByteBuffer.wrap(read(address, 4)).order(ByteOrder.LITTLE_ENDIAN).getInt();
    }

    @Override
    public long readLong(long address) {
        return ByteBuffer.wrap(read(address, 8)).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }
}
