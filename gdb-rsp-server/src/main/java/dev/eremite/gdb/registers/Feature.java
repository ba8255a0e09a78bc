package dev.eremite.gdb.registers;

/** A group of registers that GDB knows by a fixed name, each in a file of its own. */
enum Feature {
    CORE("org.gnu.gdb.i386.core", "64bit-core.xml"),
    SSE("org.gnu.gdb.i386.sse", "64bit-sse.xml"),
    LINUX("org.gnu.gdb.i386.linux", "64bit-linux.xml"),
    SEGMENTS("org.gnu.gdb.i386.segments", "64bit-segments.xml"),
    AVX("org.gnu.gdb.i386.avx", "64bit-avx.xml"),
    AVX512("org.gnu.gdb.i386.avx512", "64bit-avx512.xml"),
    PKEYS("org.gnu.gdb.i386.pkeys", "64bit-pkeys.xml");

    private final String gdbName;
    private final String file;

    Feature(String gdbName, String file) {
        this.gdbName = gdbName;
        this.file = file;
    }

    String gdbName() {
        return gdbName;
    }

    String file() {
        return file;
    }
}
