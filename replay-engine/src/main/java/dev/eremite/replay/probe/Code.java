package dev.eremite.replay.probe;

import java.io.ByteArrayOutputStream;

/** Bytes of one instruction in the making. */
final class Code {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream(16);

    private Code() {}

    static Code of(int... octets) {
        Code code = new Code();
        for (int octet : octets) {
            code.out.write(octet);
        }
        return code;
    }

    static boolean fitsInt32(long value) {
        return value == (int) value;
    }

    /** A little-endian 32-bit field; the value must fit, as signed. */
    Code int32(long value) {
        if (!fitsInt32(value)) {
            throw new IllegalArgumentException("0x%x does not fit 32 bits".formatted(value));
        }
        for (int i = 0; i < 4; i++) {
            out.write((int) (value >> 8 * i));
        }
        return this;
    }

    Code int64(long value) {
        for (int i = 0; i < 8; i++) {
            out.write((int) (value >> 8 * i));
        }
        return this;
    }

    Code raw(byte[] bytes, int offset, int length) {
        out.write(bytes, offset, length);
        return this;
    }

    /**
     * ModRM with {@code [base + disp32]} as memory operand; a SIB byte where the base needs one.
     *
     * @param reg the register field, 0–7
     * @param base number of the base register, 0–15 (REX.B is the caller's)
     */
    Code based(int reg, int base, long displacement) {
        out.write(0x80 | reg << 3 | base & 7);
        if ((base & 7) == 4) {
            out.write(0x24);
        }
        return int32(displacement);
    }

    /** ModRM and SIB for {@code [disp32]}, an absolute address in the low 2 GB. */
    Code absolute(int reg, long address) {
        out.write(reg << 3 | 4);
        out.write(0x25);
        return int32(address);
    }

    byte[] bytes() {
        return out.toByteArray();
    }
}
