package dev.eremite.replay.probe;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Collects the bytes of a stub and, for each instruction, what the guest's state is there. */
final class StubWriter {
    private final long address;
    private final byte[] bytes = new byte[ProbeAssembler.MAX_STUB_BYTES];
    private final List<Probe.Boundary> boundaries = new ArrayList<>();
    private final List<PendingConstant> constants = new ArrayList<>();
    private int size;
    private boolean overflow;
    private long originalPc;
    private boolean rcxSaved;
    private boolean counted;
    private boolean predicate;

    private record PendingConstant(int fieldAt, long value) {}

    StubWriter(long address) {
        this.address = address;
    }

    long position() {
        return address + size;
    }

    /** Declares the guest's view for the instructions that follow. */
    void state(long pc, boolean saved, boolean visitCounted, boolean inPredicate) {
        originalPc = pc;
        rcxSaved = saved;
        counted = visitCounted;
        predicate = inPredicate;
    }

    /** Declares that the instructions that follow stand for another address of the original code. */
    void original(long pc) {
        originalPc = pc;
    }

    void countedFromHere() {
        counted = true;
    }

    void rcxSavedFromHere() {
        rcxSaved = true;
    }

    /** Appends one instruction. */
    void instruction(byte[] code) {
        instruction(0, code);
    }

    /** Appends one instruction before which the guest's rsp differs from the register by so many bytes. */
    void instruction(int rspDelta, byte[] code) {
        boundaries.add(new Probe.Boundary(position(), originalPc, rcxSaved, counted, rspDelta, predicate));
        append(code);
    }

    private void append(byte[] code) {
        if (size + code.length > bytes.length) {
            overflow = true;
            return;
        }
        System.arraycopy(code, 0, bytes, size, code.length);
        size += code.length;
    }

    /** Appends {@code jmp rel32}; the distance must fit. */
    void jump(long target) {
        jump(0, target);
    }

    void jump(int rspDelta, long target) {
        instruction(rspDelta, Code.of(0xe9).int32(target - (position() + 5)).bytes());
    }

    /** Appends a {@code jmp rel32} whose target comes later, and returns where to patch it. */
    int forwardJump() {
        instruction(Code.of(0xe9).int32(0).bytes());
        return size - 4;
    }

    /** Appends a {@code jcc rel32} with that second opcode byte whose target comes later; returns where to patch it. */
    int forwardBranch(int opcode) {
        instruction(Code.of(0x0f, opcode).int32(0).bytes());
        return size - 4;
    }

    /** Appends an instruction whose operand is a constant that follows the code; its rip-relative displacement is last. */
    void constantOperand(Code upToDisplacement, long value) {
        instruction(upToDisplacement.int32(0).bytes());
        constants.add(new PendingConstant(size - 4, value));
    }

    /** Fills up to an address with int3. */
    void gap(long end) {
        while (position() < end) {
            append(new byte[] {(byte) 0xcc});
        }
    }

    /** Lets a forward jump lead to the present position. */
    void land(int fieldAt) {
        if (!overflow) {
            putInt(fieldAt, size - (fieldAt + 4));
        }
    }

    /** Appends {@code push [rip+d]} of a constant that follows the code. */
    void pushConstant(long value) {
        instruction(Code.of(0xff, 0x35).int32(0).bytes());
        constants.add(new PendingConstant(size - 4, value));
    }

    private void putInt(int at, int value) {
        for (int i = 0; i < 4; i++) {
            bytes[at + i] = (byte) (value >> 8 * i);
        }
    }

    /** The finished stub with its constants, or null if it grew too large. */
    byte[] finish() {
        for (PendingConstant constant : constants) {
            if (!overflow) {
                putInt(constant.fieldAt(), size - (constant.fieldAt() + 4));
            }
            append(Code.of().int64(constant.value()).bytes());
        }
        return overflow ? null : Arrays.copyOf(bytes, size);
    }

    List<Probe.Boundary> boundaries() {
        return List.copyOf(boundaries);
    }
}
