package dev.eremite.tracer.x86;

/** The opcode maps that legacy, VEX, EVEX and XOP encodings select. */
public enum OpcodeMap {
    ONE_BYTE,
    MAP_0F,
    MAP_0F38,
    MAP_0F3A,
    /** EVEX map 5 (half-precision floats). */
    MAP_5,
    /** EVEX map 6 (half-precision floats). */
    MAP_6,
    XOP_8,
    XOP_9,
    XOP_A
}
