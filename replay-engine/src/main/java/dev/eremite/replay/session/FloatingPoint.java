package dev.eremite.replay.session;

import dev.eremite.tracer.linux.Tracee;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The floating-point and vector state as the kernel sets it for a new program and for a signal handler. */
final class FloatingPoint {
    private static final int CONTROL_WORD = 0x37f;
    private static final int MXCSR = 0x1f80;
    private static final int MXCSR_OFFSET = 24;
    private static final int XSTATE_BV = 512;
    private static final long PKRU = 1L << 9;

    private FloatingPoint() {}

    /** Puts the state into its initial configuration; protection keys stay. */
    static void reset(Tracee tracee) {
        byte[] area = tracee.xsave();
        ByteBuffer buffer = ByteBuffer.wrap(area).order(ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(0, (short) CONTROL_WORD);
        for (int i = 2; i < MXCSR_OFFSET; i++) {
            area[i] = 0;
        }
        buffer.putInt(MXCSR_OFFSET, MXCSR);
        buffer.putLong(XSTATE_BV, buffer.getLong(XSTATE_BV) & PKRU);
        tracee.setXsave(area);
    }
}
