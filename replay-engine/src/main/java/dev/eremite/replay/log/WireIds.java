package dev.eremite.replay.log;

/** The numbers of the event log's format. They never change within a version. */
final class WireIds {
    /** The version of everything in the event log; a reader accepts exactly its own. */
    static final int FORMAT_VERSION = 5;

    // Documents that are no events
    static final int LOG_HEADER = 0x48;
    static final int LOG_END = 0x5A;
    static final int SPILLED = 0x53;

    // Events
    static final int SYSCALL = 1;
    static final int SYSCALL_ENTER = 2;
    static final int SYSCALL_EXIT = 3;
    static final int INSTRUCTION = 4;
    static final int SIGNAL = 5;
    static final int PREEMPT = 6;
    static final int TASK_EXIT = 7;
    static final int CLOCK_TRAP = 8;

    // Instructions
    static final int RDTSC = 1;
    static final int RDTSCP = 2;
    static final int CPUID = 3;
    static final int RDRAND = 4;
    static final int RDSEED = 5;

    // Signals
    static final int SYNCHRONOUS = 1;
    static final int ASYNCHRONOUS = 2;
    static final int ORIGIN_MASK = 3;
    static final int HAS_LANDMARK = 4;
    static final int HAS_FRAME = 8;
    static final int HAS_REGISTERS = 16;

    // Flags of calls: the stream in bits 0 and 1, the effect in bits 2 to 4
    static final int STREAM_MASK = 3;
    static final int EFFECT_SHIFT = 2;
    static final int EFFECT_MASK = 7;
    static final int HAS_WRITES = 32;

    // Effects
    static final int NONE = 0;
    static final int NATIVE = 1;
    static final int MAP = 2;
    static final int SPAWN = 3;
    static final int EXEC = 4;
    static final int STORE = 5;

    // Backings of mappings
    static final int ANONYMOUS = 0;
    static final int BLOB = 1;
    static final int SHARED = 2;

    // The head of data: form in bit 0, place in bit 1, address in bits 2 to 4, length in bit 5
    static final int RAW = 0;
    static final int COMPRESSED = 1;
    static final int IN_BULK = 2;
    static final int ARGUMENT_SHIFT = 2;
    static final int ARGUMENT_MASK = 7;
    static final int LENGTH_IS_RESULT = 32;

    /** Data of more bytes than this is compressed where that saves an eighth. */
    static final int COMPRESS_ABOVE = 128;

    /** Stored data of more bytes than this goes to the bulk file. */
    static final int BULK_ABOVE = 64 << 10;

    /** Where a document has reached this size, all further data above {@link #COMPRESS_ABOVE} goes to the bulk file. */
    static final int INLINE_LIMIT = 256 << 10;

    /** A whole event of more bytes than this goes to the bulk file; Chronicle's limit is a quarter of the block. */
    static final int DOCUMENT_LIMIT = 512 << 10;

    private WireIds() {}
}
