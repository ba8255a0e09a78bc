package dev.eremite.tracer.x86;

/**
 * Which fields follow an opcode. One letter for each opcode, sixteen a row:
 *
 * <pre>
 *  -  nothing            m  ModRM              x  undefined in 64-bit mode      p  prefix or escape
 *  b  imm8               B  ModRM, imm8        z  imm16/32                      Z  ModRM, imm16/32
 *  w  imm16              e  imm16, imm8        v  imm16/32/64 by operand size   o  moffs, by address size
 *  j  rel8               J  rel32              g  ModRM, immediate if reg is 0 or 1 (test)
 * </pre>
 *
 * From the opcode maps of the Intel SDM, volume 2D, appendix A, and the AMD64 manual, volume 3, appendix A.
 */
final class OpcodeShape {
    private static final String ONE_BYTE =
            "mmmmbzxxmmmmbzxp" + "mmmmbzxxmmmmbzxx" + "mmmmbzpxmmmmbzpx" + "mmmmbzpxmmmmbzpx"
                    + "pppppppppppppppp" + "----------------" + "xxpmppppzZbB----" + "jjjjjjjjjjjjjjjj"
                    + "BZxBmmmmmmmmmmmm" + "----------x-----" + "oooo----bz------" + "bbbbbbbbvvvvvvvv"
                    + "BBw-ppBZe-w--bx-" + "mmmmxxx-mmmmmmmm" + "jjjjbbbbJJxj----" + "p-pp--gg------mm";

    private static final String MAP_0F =
            "mmmmx-----x-xm-B" + "mmmmmmmmmmmmmmmm" + "mmmmxxxxmmmmmmmm" + "------x-pxpxxxxx"
                    + "mmmmmmmmmmmmmmmm" + "mmmmmmmmmmmmmmmm" + "mmmmmmmmmmmmmmmm" + "BBBBmmm-mmxxmmmm"
                    + "JJJJJJJJJJJJJJJJ" + "mmmmmmmmmmmmmmmm" + "---mBmxx---mBmmm" + "mmmmmmmmmmBmmmmm"
                    + "mmBmBBBm--------" + "mmmmmmmmmmmmmmmm" + "mmmmmmmmmmmmmmmm" + "mmmmmmmmmmmmmmmm";

    private static final String MAP_0F38 =
            "mmmmmmmmmmmmxxxx" + "mxxxmmxmxxxxmmmx" + "mmmmmmxxmmmmxxxx" + "mmmmmmmmmmmmmmmm"
                    + "mmxxxxxxxxxxxxxx" + "xxxxxxxxxxxxxxxx" + "xxxxxxxxxxxxxxxx" + "xxxxxxxxxxxxxxxx"
                    + "mmmxxxxxxxmmxxxx" + "xxxxxxxxxxxxxxxx" + "xxxxxxxxxxxxxxxx" + "xxxxxxxxxxxxxxxx"
                    + "xxxxxxxxmmmmmmxm" + "xxxxxxxxmxxmmmmm" + "xxxxxxxxxxxxxxxx" + "mmxxxmmxmmmmmxxx";

    private static final String MAP_0F3A =
            "xxxxxxxxBBBBBBBB" + "xxxxBBBBxxxxxxxx" + "BBBxxxxxxxxxxxxx" + "xxxxxxxxxxxxxxxx"
                    + "BBBxBxxxxxxxxxxx" + "xxxxxxxxxxxxxxxx" + "BBBBxxxxxxxxxxxx" + "xxxxxxxxxxxxxxxx"
                    + "xxxxxxxxxxxxxxxx" + "xxxxxxxxxxxxxxxx" + "xxxxxxxxxxxxxxxx" + "xxxxxxxxxxxxxxxx"
                    + "xxxxxxxxxxxxBxBB" + "xxxxxxxxxxxxxxxB" + "xxxxxxxxxxxxxxxx" + "Bxxxxxxxxxxxxxxx";

    private OpcodeShape() {}

    /** The letter for an opcode in a legacy encoding. */
    static char legacy(OpcodeMap map, int opcode) {
        return switch (map) {
            case ONE_BYTE -> ONE_BYTE.charAt(opcode);
            case MAP_0F -> MAP_0F.charAt(opcode);
            case MAP_0F38 -> MAP_0F38.charAt(opcode);
            case MAP_0F3A -> MAP_0F3A.charAt(opcode);
            case MAP_5, MAP_6, XOP_8, XOP_9, XOP_A -> 'x';
        };
    }

    /** The letter for an opcode in a VEX, EVEX or XOP encoding: these all have ModRM, but for vzeroupper. */
    static char vector(OpcodeMap map, int opcode) {
        return switch (map) {
            case ONE_BYTE -> 'x';
            case MAP_0F -> vector0f(opcode);
            case MAP_0F38, MAP_5, MAP_6, XOP_9 -> 'm';
            case MAP_0F3A, XOP_8 -> 'B';
            case XOP_A -> 'Z';
        };
    }

    private static char vector0f(int opcode) {
        return switch (opcode) {
            case 0x77 -> '-';
            case 0x70, 0x71, 0x72, 0x73, 0xc2, 0xc4, 0xc5, 0xc6 -> 'B';
            default -> 'm';
        };
    }
}
