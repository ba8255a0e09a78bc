package dev.eremite.cli.guest;

/** The first bytes of an ELF file: what kind of machine it is for. See elf(5). */
final class ElfHeader {
    private static final int CLASS = 4;
    private static final int DATA = 5;
    private static final int MACHINE = 18;
    private static final int CLASS_64 = 2;
    private static final int LITTLE_ENDIAN = 1;
    private static final int X86 = 3;
    private static final int X86_64 = 62;

    private ElfHeader() {}

    /** Whether these are the first bytes of an ELF file. */
    static boolean matches(byte[] header) {
        return header.length > MACHINE + 1
                && header[0] == 0x7f
                && header[1] == 'E'
                && header[2] == 'L'
                && header[3] == 'F';
    }

    /** Whether the file is for x86-64 and not for its 32-bit pointer variant x32. */
    static boolean isX8664(byte[] header) {
        return header[CLASS] == CLASS_64 && header[DATA] == LITTLE_ENDIAN && machine(header) == X86_64;
    }

    /** What it is instead, in words. */
    static String kind(byte[] header) {
        String bits = header[CLASS] == CLASS_64 ? "64-bit" : "32-bit";
        return switch (machine(header)) {
            case X86 -> bits + " x86";
            case X86_64 -> bits + " x86-64 (x32)";
            default -> bits + ", machine " + machine(header);
        };
    }

    private static int machine(byte[] header) {
        return (header[MACHINE] & 0xff) | (header[MACHINE + 1] & 0xff) << 8;
    }
}
