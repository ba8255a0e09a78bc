package dev.eremite.tracer.x86;

/** What an opcode does to control flow. */
final class FlowTable {
    private FlowTable() {}

    static Flow of(Encoding e) {
        if (e.vex || e.evex) {
            return Flow.SEQUENTIAL;
        }
        return switch (e.map) {
            case ONE_BYTE -> oneByte(e);
            case MAP_0F -> map0f(e);
            case MAP_0F38, MAP_0F3A, MAP_5, MAP_6, XOP_8, XOP_9, XOP_A -> Flow.SEQUENTIAL;
        };
    }

    private static Flow oneByte(Encoding e) {
        int opcode = e.opcode;
        if (opcode >= 0x70 && opcode <= 0x7f) {
            return Flow.CONDITIONAL_JUMP;
        }
        return switch (opcode) {
            case 0xe0, 0xe1, 0xe2, 0xe3 -> Flow.COUNTED_JUMP;
            case 0xe8 -> Flow.CALL;
            case 0xe9, 0xeb -> Flow.JUMP;
            case 0xc2, 0xc3 -> Flow.RETURN;
            case 0xca, 0xcb, 0xcf -> Flow.FAR_TRANSFER;
            case 0xcc, 0xcd, 0xf1 -> Flow.INTERRUPT;
            case 0xc7, 0xc6 -> e.modrm == 0xf8 ? Flow.TRANSACTION : Flow.SEQUENTIAL;
            case 0x6c, 0x6d, 0x6e, 0x6f, 0xe4, 0xe5, 0xe6, 0xe7, 0xec, 0xed, 0xee, 0xef, 0xf4, 0xfa, 0xfb ->
                Flow.PRIVILEGED;
            case 0xff -> groupFf(e);
            default -> Flow.SEQUENTIAL;
        };
    }

    private static Flow groupFf(Encoding e) {
        return switch (e.reg()) {
            case 2 -> Flow.INDIRECT_CALL;
            case 4 -> Flow.INDIRECT_JUMP;
            case 3, 5 -> Flow.FAR_TRANSFER;
            default -> Flow.SEQUENTIAL;
        };
    }

    private static Flow map0f(Encoding e) {
        int opcode = e.opcode;
        if (opcode >= 0x80 && opcode <= 0x8f) {
            return Flow.CONDITIONAL_JUMP;
        }
        return switch (opcode) {
            case 0x05, 0x34 -> Flow.SYSCALL;
            case 0x06, 0x07, 0x08, 0x09, 0x20, 0x21, 0x22, 0x23, 0x30, 0x32, 0x35 -> Flow.PRIVILEGED;
            case 0x31 -> Flow.TIME_STAMP;
            case 0x33 -> Flow.NONDETERMINISTIC;
            case 0xa2 -> Flow.CPU_IDENTITY;
            case 0x0b, 0xb9, 0xff -> Flow.UNDEFINED;
            case 0x01 -> group01(e);
            case 0xc7 -> !e.memory() && e.reg() >= 6 ? Flow.NONDETERMINISTIC : Flow.SEQUENTIAL;
            default -> Flow.SEQUENTIAL;
        };
    }

    private static Flow group01(Encoding e) {
        return switch (e.modrm) {
            case 0xf9 -> Flow.TIME_STAMP;
            case 0xd0 -> Flow.NONDETERMINISTIC;
            case 0xd5, 0xd6 -> Flow.TRANSACTION;
            case 0xc1, 0xc2, 0xc3, 0xc4, 0xc8, 0xc9, 0xca, 0xcb, 0xcf, 0xd1, 0xd4, 0xf8, 0xfa, 0xfb -> Flow.PRIVILEGED;
            default -> e.memory() && (e.reg() == 2 || e.reg() == 3 || e.reg() == 7) ? Flow.PRIVILEGED : Flow.SEQUENTIAL;
        };
    }
}
