package dev.eremite.replay.session;

import dev.eremite.replay.guest.LandmarkState;
import dev.eremite.replay.probe.ProbeCondition;
import dev.eremite.tracer.linux.Tracee;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The memory of a task while it is stopped, read in blocks: who compares a landmark's words asks for many of the same
 * neighbourhood, and reading costs by the call. To be forgotten when the task goes on.
 */
final class StoppedMemory implements ProbeCondition.Words {
    private static final int BLOCK = 512;

    private final Tracee tracee;
    private final Map<Long, byte[]> blocks = new HashMap<>();

    StoppedMemory(Tracee tracee) {
        this.tracee = tracee;
    }

    @Override
    public OptionalLong at(long address) {
        int offset = (int) (address & BLOCK - 1);
        if (offset + Long.BYTES <= BLOCK) {
            byte[] block = blocks.computeIfAbsent(
                    address - offset, start -> tracee.memory().read(start, BLOCK));
            // A block lies in one page, which is readable as a whole or not at all.
            return block.length == BLOCK
                    ? OptionalLong.of(ByteBuffer.wrap(block)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .getLong(offset))
                    : OptionalLong.empty();
        }
        return LandmarkState.word(tracee, address);
    }
}
