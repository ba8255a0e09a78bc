package dev.eremite.gdb;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Guest memory as a few byte arrays. */
final class TraceMemory {
    private final NavigableMap<Long, byte[]> segments = new TreeMap<>();

    void map(long address, byte[] bytes) {
        segments.put(address, bytes.clone());
    }

    NavigableMap<Long, byte[]> segments() {
        return segments;
    }

    byte[] read(long address, int length) {
        Map.Entry<Long, byte[]> segment = segments.floorEntry(address);
        if (segment == null || address - segment.getKey() >= segment.getValue().length) {
            return new byte[0];
        }
        int from = (int) (address - segment.getKey());
        return Arrays.copyOfRange(
                segment.getValue(), from, (int) Math.min((long) from + length, segment.getValue().length));
    }

    boolean write(long address, byte[] bytes) {
        Map.Entry<Long, byte[]> segment = segments.floorEntry(address);
        if (segment == null || address - segment.getKey() + bytes.length > segment.getValue().length) {
            return false;
        }
        System.arraycopy(bytes, 0, segment.getValue(), (int) (address - segment.getKey()), bytes.length);
        return true;
    }

    long word(long address) {
        return ByteBuffer.wrap(read(address, 8)).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }

    void word(long address, long value) {
        write(
                address,
                ByteBuffer.allocate(8)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(value)
                        .array());
    }
}
